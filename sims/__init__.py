"""The same quantities by gradient descent on drawn data, in JAX: one subpackage a problem.

Uses no closed form and never imports `theory`, SciPy's solvers or SymPy. Importing this
package imports no JAX; the modules named by its `ROUTES` do.
"""
