"""Questions put to the routes of a generator against discriminators."""

from teacherstudent.paper_checks.judging.asking import Questions

ask = Questions("gan")
