"""The statements about heavy tails that do not hold, as a reader needs them."""

from __future__ import annotations

from teacherstudent.paper_checks.judging.reading import Quotation, Reading, Readings


def of_the_grid() -> float:
    """Share of the grid's points that are called heavy-tailed, though their iterates diverge."""
    from teacherstudent.paper_checks.heavy_tails import indices

    called = indices.called_heavy(None)
    return float((called == indices.HEAVY).mean())


READINGS: Readings = {
    "ht-published-grid": Reading(
        r"a tail index $\alpha$ is estimated at every point of a grid at $d = 100$, also where $\rho > 0$",
        r"where $\rho > 0$ the iterates diverge and have no tail index",
        of_the_grid,
        "the fraction of grid points where the iterates diverge but an index is estimated",
        "step sizes 0.02 to 0.2, batch sizes 1 to 20, d = 100",
        "limits",
        "The tail index does fall with the step size where a stationary distribution exists. On this "
        "grid no tail index is between 0 and 2, and the falling estimate measures divergence.",
        (
            Quotation(
                "# dimension d = 100 ... #batch size b_all = [1, 2,3,4,5,10,20] "
                "#step-size eta_all = np.linspace(0.02,0.2,10)",
                "github.com/umutsimsekli/sgd_ht, synth_experiments.ipynb",
            ),
            Quotation(
                "# Corollary 2.4 in Mohammadi 2014 - for multi-d ... return 1 / diff.item()",
                "the same notebook, alpha_estimator_multi, which does not test whether the iterates diverge",
            ),
        ),
    ),
}
