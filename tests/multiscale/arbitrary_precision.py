"""The asymptotic formulas once more, in arbitrary precision and by other means.

The root is picked among all roots of the polynomial by its defining signs instead of being
followed; the contour has more nodes; the variance is the difference of traces that the double
precision code had to avoid. 40 digits leave nothing of the rounding.
"""

from __future__ import annotations

import mpmath as mp

from teacherstudent.problems.multiscale import MultiScale

NODES = 56


def physical_root(alpha, weights, strengths, z):
    """q(z) with q z + sum mu q v/(1 + q v) = alpha on the branch continuous with z -> infinity."""
    merged = {v: sum(m for m, other in zip(weights, strengths, strict=True) if other == v) for v in strengths}
    strengths, weights = list(merged), list(merged.values())  # equal scales would give spurious roots
    size = len(weights)
    factors = [[v, mp.mpf(1)] for v in strengths]  # 1 + q v, highest power first

    def product(skip=None):
        total = [mp.mpf(1)]
        for k in range(size):
            if k != skip:
                a, b = factors[k]
                total = [a * x + b * y for x, y in zip([*total, 0], [0, *total], strict=True)]
        return total

    whole = product()
    polynomial = [z * c for c in whole] + [mp.mpf(0)]
    for i, c in enumerate(whole):
        polynomial[i + 1] -= alpha * c
    for k in range(size):
        for i, c in enumerate(product(k)):
            polynomial[i + 1] += weights[k] * strengths[k] * c
    roots = mp.polyroots(polynomial, maxsteps=400, extraprec=400)

    def fits(q):
        flux = sum(m * v / (1 + q * v) for m, v in zip(weights, strengths, strict=True))
        return mp.im(1 / (q * z)) * mp.im(z) < 0 <= mp.im(flux) * mp.im(z)

    chosen = [q for q in roots if fits(q)]
    assert len(chosen) == 1, "the signs single out one root"
    return chosen[0]


def flow(problem: MultiScale, s: float) -> tuple[mp.mpf, mp.mpf, mp.mpf]:
    """R, Q and the excess risk of gradient flow with ridge at time s > 0."""
    with mp.workdps(40):
        alpha = mp.mpf(problem.n) / problem.d
        mu = [mp.mpf(m) / problem.d for m in problem.counts]
        v = [mp.mpf(sigma) ** 2 for sigma in problem.sigmas]
        nodes = []
        for j in range(NODES):
            theta = mp.pi * (2 * j + 1) / NODES - mp.pi
            cot = mp.cot(mp.mpf("0.6407") * theta)
            u = NODES * (mp.mpf("0.5017") * theta * cot - mp.mpf("0.6122") + mp.mpc(0, "0.2645") * theta)
            slope = NODES * (
                mp.mpf("0.5017") * (cot - mp.mpf("0.6407") * theta * (1 + cot**2)) + mp.mpc(0, "0.2645")
            )
            u, weight = u / s, mp.exp(u) * slope / (mp.mpc(0, 1) * NODES * s)
            z = u + mp.mpf(problem.ridge)
            q = physical_root(alpha, mu, v, z)
            nodes.append((u, z, q, weight, [1 / (1 + q * each) for each in v]))

        def trace(a, b):
            return sum(m * x * y for m, x, y in zip(mu, a, b, strict=True))

        one, noise, start = [mp.mpf(1)] * len(v), mp.mpf(problem.noise), mp.mpf(problem.init)
        missed = bias = variance = kept = mp.mpf(0)
        for u, z, q, w, h in nodes:
            missed += w / u * trace(h, one)
            variance += w / (u * z) * trace(v, h)
            for u2, z2, q2, w2, h2 in nodes:
                both = [x * y for x, y in zip(h, h2, strict=True)]
                shared = q * q2 / alpha * trace([x * x for x in v], both)
                bias += w * w2 / (u * u2) * trace(one, both) / (1 - shared)
                variance -= w * w2 / (u * z * u2) * trace(v, both) / (1 - shared)
                kept += w * w2 / (z * z2) * trace(v, both) / (1 - shared)
        R = 1 - mp.re(missed)
        twice = mp.re(bias + noise**2 * variance + start**2 * kept)
        return R, twice - 1 + 2 * R, twice / 2
