"""Figures of motion driven by stable noise."""
