"""What `teacherstudent reproduce` consists of: its pieces and their order, kept results, and its page."""
