"""Which nodes of a syntax tree define something that has a name, and what the name is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset({
    "function_definition", "function_declaration", "generator_function_declaration", "function_item",
    "method_definition", "method_declaration", "constructor_declaration", "compact_constructor_declaration",
    "function_signature", "macro_definition", "function_expression", "generator_function", "arrow_function",
})  # fmt: skip
"""Their bodies are statements; all other definitions hold members."""
_VALUES = frozenset({"function_expression", "generator_function", "arrow_function", "class"})
DEFINITIONS = FUNCTIONS - _VALUES | {
    "class_definition", "class_declaration", "abstract_class_declaration", "interface_declaration",
    "enum_declaration", "record_declaration", "annotation_type_declaration", "type_alias_declaration",
    "internal_module", "module", "struct_item", "enum_item", "union_item", "trait_item", "impl_item", "mod_item",
    "struct_specifier", "union_specifier", "enum_specifier", "class_specifier", "namespace_definition",
    "concept_definition",
}  # fmt: skip
_INNER = {
    "decorated_definition": "definition", "export_statement": "declaration", "ambient_declaration": "",
    "template_declaration": "", "type_definition": "type",
}  # fmt: skip
WRAPPERS = frozenset(_INNER) | {
    "type_declaration", "lexical_declaration", "variable_declaration", "expression_statement", "declaration",
}  # fmt: skip
_BODY_NEEDED = frozenset({"struct_specifier", "union_specifier", "enum_specifier", "class_specifier"})
_MOST_STEPS = 20
_LONGEST = 200


def definition_in(node: Node) -> tuple[Node, str] | None:
    """The defining node at or inside a node, below `export`, decorators and the like, and its name."""
    name = ""
    for _ in range(_MOST_STEPS):
        if node.type in DEFINITIONS and node.child_count:
            if node.type in _BODY_NEEDED and node.child_by_field_name("body") is None:
                return None
            return node, name or _name(node)
        if node.type in ("lexical_declaration", "variable_declaration"):
            found = node.named_children if node.named_child_count == 1 else []
            return _assigned(found[0], "name", "value") if found else None
        if node.type == "expression_statement":
            inner = node.named_child(0) if node.named_child_count else None
            if inner is None or inner.type not in ("assignment_expression", "internal_module"):
                return None
            if inner.type == "assignment_expression":
                return _assigned(inner, "left", "right")
            node = inner
            continue
        if node.type == "type_declaration":
            inner = node.named_child(0) if node.named_child_count else None
            return None if inner is None else (node, _text(inner.child_by_field_name("name")))
        if node.type == "type_definition":
            name = _text(node.child_by_field_name("declarator"))
        if node.type == "declaration":
            following = node.child_by_field_name("type")
        elif node.type in _INNER:
            field = _INNER[node.type]
            following = node.child_by_field_name(field) if field else None
            if following is None and node.type == "export_statement":
                return _assigned(node, "", "value")
            if following is None and not field and node.named_child_count:
                following = node.named_child(node.named_child_count - 1)
        else:
            return None
        if following is None:
            return None
        node = following
    return None


def _assigned(node: Node, name: str, value: str) -> tuple[Node, str] | None:
    inner = node.child_by_field_name(value)
    if inner is None or inner.type not in _VALUES:
        return None
    return inner, _text(node.child_by_field_name(name)) if name else _name(inner) or "default"


def _name(node: Node) -> str:
    if node.type == "impl_item":
        trait, own = node.child_by_field_name("trait"), _text(node.child_by_field_name("type"))
        return f"{_text(trait)} for {own}" if trait is not None else own
    found = node.child_by_field_name("name")
    if found is not None:
        receiver = node.child_by_field_name("receiver")
        return _receiver(receiver) + _text(found)
    for _ in range(_MOST_STEPS):
        following = node.child_by_field_name("declarator")
        if following is None and node.type == "reference_declarator" and node.named_child_count:
            following = node.named_child(0)
        if following is None:
            break
        node, found = following, following
    return _text(found)


def _receiver(node: Node | None) -> str:
    """`Point.` for Go's `(p *Point)`, with type parameters left out."""
    parameter = node.named_child(0) if node is not None and node.named_child_count else None
    kind = parameter.child_by_field_name("type") if parameter is not None else None
    text = _text(kind).lstrip("*( ").partition("[")[0].rstrip(") ")
    return f"{text}." if text else ""


def _text(node: Node | None) -> str:
    return " ".join(node.text[:_LONGEST].decode("utf-8", "replace").split()) if node is not None else ""
