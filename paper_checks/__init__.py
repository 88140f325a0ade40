"""The validation layer: where theory and simulation agree, how sharply, and which print is wrong.

`judging` holds what knows no system: the vocabulary (check, negative control, known misprint,
verdict), the statistics of agreement, exactness, symbols. A folder a system holds its `CHECKS`, one module a
question, and beside them in `kit` what several of its checks share. `ledger` is the run over all
checks and what each paper claims.
"""
