"""Shared tools of the checks: evidence, statistics of agreement, finite size. No system is named here."""
