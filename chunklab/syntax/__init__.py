"""Programming languages: which there are, how one is recognised, and where its text may be cut."""
