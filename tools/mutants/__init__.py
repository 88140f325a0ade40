"""Small changes to the package, one at a time, and who notices: `make mutants`."""
