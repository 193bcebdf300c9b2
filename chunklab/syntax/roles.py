"""What the node types of all grammars mean for cutting, in one table."""

from __future__ import annotations

from functools import cache

from chunklab.syntax.definitions import DEFINITIONS, WRAPPERS
from chunklab.syntax.languages import grammar

OTHER, TOKEN, COMMA, SEMICOLON, COMMENT, LEAD, STRING, BODY, CASE, OPEN, LINKAGE, MAYBE, PLAIN = range(13)
"""What a node is to the walk. A LEAD belongs to what comes after it; a BODY holds statements or members and is
no more than their brackets; a CASE is a label, then statements; what is in an OPEN counts as being outside it;
a MAYBE may define something; a PLAIN is like OTHER and no statement either, so it holds none without a body.
"""
_TYPES = {
    COMMENT: "comment line_comment block_comment html_comment hash_bang_line",
    LEAD: "attribute_item decorator access_specifier",
    STRING: "string template_string regex string_literal raw_string_literal interpreted_string_literal char_literal"
    " character_literal rune_literal system_lib_string",
    BODY: "block statement_block class_body interface_body enum_body enum_body_declarations constructor_body"
    " annotation_type_body switch_body switch_block statement_list declaration_list field_declaration_list"
    " enum_variant_list enumerator_list compound_statement match_block",
    CASE: "switch_case switch_default switch_block_statement_group case_statement",
    OPEN: "preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef",
    LINKAGE: "linkage_specification",
    MAYBE: " ".join(DEFINITIONS | WRAPPERS),
}
_NAMED = {name: role for role, names in _TYPES.items() for name in names.split()}
_TOKENS = {",": COMMA, ";": SEMICOLON}
_STATEMENTS = ("_statement", "_declaration", "_definition", "_clause", "_item", "_specifier")


@cache
def roles(language: str) -> bytes:
    """The role of each node type of a language, by the type's number in its grammar."""
    known = grammar(language)
    return bytes(
        _NAMED.get(name, OTHER if name.endswith(_STATEMENTS) else PLAIN)
        if known.node_kind_is_named(at)
        else _TOKENS.get(name, TOKEN)
        for at in range(known.node_kind_count)
        for name in (known.node_kind_for_id(at),)
    )
