"""Speed against a stated baseline, measured in the same run.

A module announces its `BENCHMARKS`; `benchmarks.running` measures each part of them in a process
of its own. Results of full runs are in `results/`, and `benchmarks.table` shows them.
"""
