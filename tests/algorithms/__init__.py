"""Tests of every algorithm that trains students which are linear in their features, on every source."""
