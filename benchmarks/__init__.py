"""Speed, each measurement paired in one run with a stated baseline.

A module announces its `BENCHMARKS`; `benchmarks.running` measures each part of them in a process
of its own. Results of whole runs lie in `results/`, and `benchmarks.table` shows them.
"""
