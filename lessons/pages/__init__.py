"""Lessons as static pages: prose of the notebooks, theory computed in the page, stored simulations.

Theory is written a second time in JavaScript (`scripts/theory`), because Python for browsers takes seconds to
start and does not open from a folder. Tests compare each kernel and each picture with Python.
"""
