"""Linear students of rows of any spectrum and any target: their errors in the limit of many rows.

Tools for systems whose data are a spectrum: `tasks` describes one, `filters` makes students of it (and of any
matrix whose equivalents are known) over training, `kernels` couples two resolvents, `errors` sums test and
training error, `parts` splits them mode by mode, `motion` differentiates them by log time, `compression` takes
many eigenvalues together. They know no system.
"""
