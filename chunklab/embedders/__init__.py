"""Embedders, one a module: texts to vectors."""
