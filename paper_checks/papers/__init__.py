"""What each paper claims: one file a paper, `<key>.toml`, read by `paper_checks.ledger`."""
