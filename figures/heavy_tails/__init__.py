"""Figures of heavy tails."""
