"""The validation layer: where theory and simulation agree, how sharply, and which print is wrong.

`evidence` holds the vocabulary (check, tooth, erratum, verdict), `agreement` the statistics,
`ledger` the run over all checks and what each paper claims. Every other module holds the
`CHECKS` of one question.
"""
