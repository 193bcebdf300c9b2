"""Retrievers, one a module: which chunks a query gets."""
