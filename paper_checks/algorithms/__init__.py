"""Checks of algorithms, generated from their declarations for every source of linear students."""
