"""Figures of committee machines that learn online."""
