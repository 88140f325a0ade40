"""Lessons as static pages: prose of the notebooks, theory computed in the page, simulations drawn beforehand.

Any web space serves them, and they open from a folder. Why theory is written a second time, in JavaScript
(`scripts/theory`): Python's interpreter for browsers takes 2.5 s to start on two cores, before NumPy, SciPy
or any picture, and cannot be opened from a folder at all; a kernel answers a slider within milliseconds. Each
kernel is held to the Python numbers in a real browser (`tests/browser/kernels`), and each page's pictures to
the notebook's.
"""
