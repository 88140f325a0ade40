"""Many questions at once: grids of parameters, a store that survives interruption, engines.

`plan` turns ranges into cells, `store` keeps what was computed, `engine` computes what is
missing, `assembly` puts cells together as one dataset. Stands on `house` alone.
"""
