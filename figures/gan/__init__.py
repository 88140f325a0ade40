"""Figures of generators and discriminators."""
