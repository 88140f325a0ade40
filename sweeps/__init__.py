"""Sweeps over parameters: grids, a store that survives interruption, engines.

`plan` turns ranges into cells, `store` keeps what was computed, `engine` computes what is
missing, `assembly` combines cells to one dataset. Imports `house` only.
"""
