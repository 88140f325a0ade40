"""The numbers of `sphere-geometry`: what radial parts, deformation and transport do to a step."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Numbers

ACROSS = 0.6
"""A |c_perp| of the steps of panel a: without a radial part they turn by arctan 0.6."""
RADIAL = (-0.6, -0.3, 0.0, 0.3, 0.6)
PLACES = 16
SHARE = {"units": "1", "long_name": "radial share of the step"}
LENGTH = {"units": "1", "long_name": "length of a past gradient's contribution"}


def radial_part() -> Numbers:
    """Angle of the step u -> u' by Theorem 2, and by one step of SGD on a vector with a radial part."""
    import optax

    import teacherstudent.sims.precision  # noqa: F401  double precision
    from teacherstudent.theory.scale_invariant.image import image
    from teacherstudent.theory.scale_invariant.sphere import angle

    u, sgd = np.array([1.0, 0.0]), optax.sgd(1.0)

    def along(radial: np.ndarray) -> np.ndarray:
        return np.stack([radial, np.full(radial.shape, ACROSS)], axis=-1)

    dense = np.linspace(-0.8, 0.8, 161)
    steps = image(np.tile(u, (dense.size, 1)), along(dense), np.ones(2), 1.0)
    drawn = np.array(RADIAL)
    moved = np.stack([u + np.asarray(sgd.update(a, sgd.init(u))[0]) for a in along(drawn)])
    ends = moved / np.linalg.norm(moved, axis=1, keepdims=True)
    attrs = {"units": "rad", "long_name": "angle of the step"}
    return {
        "radial_theory": xr.Dataset(
            {"turn": ("radial", angle(steps.u, steps.end), attrs)}, {"radial": dense}
        ),
        "radial_simulation": xr.Dataset(
            {"turn": ("radial", angle(u, ends), attrs), "moved": (("radial", "axis"), moved)},
            {"radial": drawn},
        ),
    }


def deformation() -> Numbers:
    """Radial share of the first step around the circle: psi of Fig. 3.5 (b), and real first steps."""
    import optax

    import teacherstudent.sims.precision  # noqa: F401  double precision
    from teacherstudent import optimisers

    def circle(place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        u = np.stack([np.cos(place), np.sin(place)], axis=-1)
        return u, np.stack([-u[:, 1], u[:, 0]], axis=-1)

    def share(step: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.sum(step * u, axis=-1) / np.linalg.norm(step, axis=-1)

    dense = np.linspace(0, 2 * np.pi, 401)
    u, gradient = circle(dense)
    signs = np.sign(gradient)
    psi = np.where(np.abs(gradient) > 1e-12, signs, np.nan)  # jumps where a coordinate changes sign
    places = (np.arange(PLACES) + 0.5) * 2 * np.pi / PLACES
    points, slopes = circle(places)
    first = {"adam": optax.adam(1.0, b1=0.0), "adam_s": optimisers.adam_s(1.0, (0,), b1=0.0)}
    steps = {
        name: np.stack(
            [-np.asarray(rule.update(g, rule.init(x), x)[0]) for x, g in zip(points, slopes, strict=True)]
        )
        for name, rule in first.items()
    }
    simulated = {name: ("place", share(step, points), SHARE) for name, step in steps.items()}
    vectors = {f"{name}_step": (("place", "axis"), step) for name, step in steps.items()}
    return {
        "deformation_theory": xr.Dataset(
            {"adam": ("place", share(psi, u), SHARE), "adam_s": ("place", share(gradient, u), SHARE)},
            {"place": dense},
        ),
        "deformation_simulation": xr.Dataset({**simulated, **vectors}, {"place": places}),
    }


def transport() -> Numbers:
    """What is left at u of a unit gradient at a point at some distance, projected and transported.

    `along` points towards u, `across` at a right angle to that. Theory: `theory.scale_invariant.sphere`;
    simulation: what the optimisers do to a momentum.
    """
    from teacherstudent.optimisers import transport as rules
    from teacherstudent.theory.scale_invariant import sphere

    here = np.array([0.0, 0.0, 1.0])

    def past(distance: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        zero = np.zeros(distance.shape)
        point = np.stack([np.sin(distance), zero, np.cos(distance)], axis=-1)
        along = np.stack([-np.cos(distance), zero, np.sin(distance)], axis=-1)
        return point, {"along": along, "across": np.stack([zero, zero + 1, zero], axis=-1)}

    dense, drawn = np.linspace(0, 1.5, 151), np.linspace(0, 1.5, 7)
    at = np.broadcast_to(here, (dense.size, 3))
    point, gradients = past(dense)
    theory = {
        **{f"{name}_projected": sphere.tangent(at, g) for name, g in gradients.items()},
        **{f"{name}_transported": sphere.transport(point, at, g) for name, g in gradients.items()},
    }
    simulated = {
        f"{name}_{kind}": np.stack([np.asarray(rule((0,), gradient, here)) for gradient in g])
        for name, g in past(drawn)[1].items()
        for kind, rule in (("projected", rules.tangential), ("transported", rules.transported))
    }

    def lengths(vectors: dict[str, np.ndarray], distances: np.ndarray) -> xr.Dataset:
        columns = {name: ("distance", np.linalg.norm(v, axis=-1), LENGTH) for name, v in vectors.items()}
        return xr.Dataset(columns, {"distance": distances})

    return {
        "transport_theory": lengths(theory, dense),
        "transport_simulation": lengths(simulated, drawn),
        "sphere": on_the_sphere(),
    }


def on_the_sphere(distance: float = 0.9) -> xr.Dataset:
    """Two points at one distance from u, their unit gradients, and both contributions at u: vectors (3,)."""
    from teacherstudent.theory.scale_invariant import sphere

    here = np.array([0.0, 0.0, 1.0])
    c, s = np.cos(distance), np.sin(distance)
    first, second = np.array([s, 0, c]), np.array([-s, 0, c])
    gradients = {"first": np.array([-c, 0, s]), "second": np.array([0.0, -1.0, 0.0])}
    vectors = {"here": here, "first_point": first, "second_point": second}
    for name, point in (("first", first), ("second", second)):
        vectors[f"{name}_gradient"] = gradients[name]
        vectors[f"{name}_projected"] = sphere.tangent(here, gradients[name])
        vectors[f"{name}_transported"] = sphere.transport(point, here, gradients[name])
    return xr.Dataset({name: ("axis", v) for name, v in vectors.items()}, attrs={"distance": distance})
