"""Fig. 3.5 of roburin2022: radial parts, deformation, and the transport of past gradients."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers
from teacherstudent.figures.kit import legends, style

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
    from teacherstudent.theory.scale_invariant.sphere import angle
    from teacherstudent.theory.scale_invariant.sphere_step import image

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


ID = "sphere-geometry"
ADAM, ADAM_S = style.Look("Adam", style.ORANGE, "o"), style.Look("Adam-S", style.BLUE, "s")
KINDS = {
    "along_projected": style.Look("(c) ∇₁ along the way, projected", style.VERMILION, "v"),
    "across_projected": style.Look("(c) ∇₂ across the way, projected", style.GREEN, "D"),
    "along_transported": style.Look("(c) ∇₁ transported", style.PURPLE, "^"),
}
"""Every colour of the picture has one meaning."""
RADIAL_COLOURS = {"shorter": style.SKY, "none": style.BLACK, "longer": "#999933"}
"""Colours of the steps of panel (a)."""


def compute(quick: bool) -> Numbers:
    """All panels; nothing is random, so that the quick version is the same."""
    return {
        **radial_part(),
        **deformation(),
        **transport(),
    }


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """The geometry above, what it amounts to below."""
    style.size(canvas, 5)
    top, bottom = canvas.subplots(2, 3, height_ratios=[1.25, 1])
    draw_steps(top[0], numbers)
    draw_deformation(top[1], numbers)
    draw_sphere(top[2], numbers["sphere"])
    below(bottom, numbers)
    entries = [
        legends.curve(replace(ADAM, label="(b) Adam")),
        legends.curve(replace(ADAM_S, label="(b) Adam-S: follows the gradient")),
        *(legends.curve(look) for look in KINDS.values()),
        legends.theory("theory"),
        legends.markers("simulation: steps of real optimisers"),
    ]
    fixed = (
        f"Weights of length $|u_k|$ = 1; (a) tangential length $A |c_\\perp|$ = {ACROSS:g}; "
        "(b) $\\beta_1$ = 0. Theory and real steps agree up to rounding"
    )
    legends.around(canvas, [], entries, fixed=fixed)


def draw_steps(axes: Axes, numbers: Numbers) -> None:
    """(a) One tangential displacement with three radial parts, and where each ends on the circle."""
    arc = np.linspace(-1.1, 0.3, 100)
    axes.plot(np.cos(arc), np.sin(arc), color="0.3", lw=1.2)
    shown = numbers["radial_simulation"]["moved"].isel(radial=[0, 2, 4])
    for end, colour in zip(shown, RADIAL_COLOURS.values(), strict=True):
        radial = f"{float(end['radial']):+.1f}".replace("-", "−") if float(end["radial"]) else "0"
        point = end.values / np.linalg.norm(end.values)
        arrow(axes, np.array([1.0, 0.0]), end.values, colour)
        axes.plot(*zip((0, 0), end.values, strict=True), color=colour, lw=0.7, ls=":")
        axes.plot(*point, "o", color=colour, ms=6)
        axes.annotate(radial, end.values, (4, -12), textcoords="offset points", color=colour, ha="center")
    axes.plot(1, 0, "o", color="black", ms=6)
    axes.annotate("$u_k$", (1, 0), (8, 4), textcoords="offset points")
    axes.set(xlim=(-0.05, 1.85), ylim=(-0.95, 0.3), aspect="equal")
    axes.set_axis_off()
    axes.set_title("(a) Radial part of $c_k$")


def draw_deformation(axes: Axes, numbers: Numbers) -> None:
    """(b) Around the circle, the first step of Adam beside the gradient, and its signs."""
    around = np.linspace(0, 2 * np.pi, 200)
    axes.plot(np.cos(around), np.sin(around), color="0.3", lw=1.2)
    steps = numbers["deformation_simulation"]
    for at in range(steps.sizes["place"]):
        one = steps.isel(place=at)
        point = np.array([np.cos(one["place"]), np.sin(one["place"])])
        for name, look in (("adam_s", ADAM_S), ("adam", ADAM)):
            step = one[f"{name}_step"].values
            arrow(axes, point, point + 0.36 * step / np.linalg.norm(step), look.colour)
    axes.set(xlim=(-1.45, 1.45), ylim=(-1.45, 1.45), aspect="equal")
    axes.set_axis_off()
    axes.set_title("(b) Division by element (Adam)")


def draw_sphere(axes: Axes, vectors: xr.Dataset) -> None:
    """(c) Two past gradients of one length at one distance from u, and what they contribute there."""
    turn = np.linspace(0, 2 * np.pi, 200)
    axes.fill(np.cos(turn), np.sin(turn), color="0.96", ec="0.6", lw=1)
    for name in ("first", "second"):
        point, here = vectors[f"{name}_point"].values, vectors["here"].values
        share = np.linspace(0, vectors.attrs["distance"], 40)[:, None]
        towards = (here - np.cos(vectors.attrs["distance"]) * point) / np.sin(vectors.attrs["distance"])
        axes.plot(*seen(np.cos(share) * point + np.sin(share) * towards), color="0.5", lw=0.9, ls="--")
    scale = 0.42
    along, across, transported = (look.colour for look in KINDS.values())
    for name, place, colour, label, shift in (
        ("first_gradient", "first_point", along, "∇₁", (4, 4)),
        ("second_gradient", "second_point", across, "∇₂", (-14, -14)),
        ("first_transported", "here", transported, "Γ∇₁", (-2, 6)),
        ("first_projected", "here", along, "P∇₁", (-6, -16)),
        ("second_projected", "here", across, "P∇₂", (-4, -16)),
    ):
        start = vectors[place].values
        tail, head = seen(start), seen(start + scale * vectors[name].values)
        arrow(axes, tail, head, colour)
        axes.annotate(label, head, shift, textcoords="offset points", color=colour)
    for place, label, shift in (
        ("here", "$u_k$", (6, 6)),
        ("first_point", "$u_1$", (7, -4)),
        ("second_point", "$u_2$", (-8, 7)),
    ):
        at = seen(vectors[place].values)
        axes.plot(*at, "o", color="black", ms=5)
        axes.annotate(label, at, shift, textcoords="offset points")
    axes.set(xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), aspect="equal")
    axes.set_axis_off()
    axes.set_title("(c) Past gradients at $u_k$")


def seen(points: np.ndarray) -> np.ndarray:
    """Points of space (..., 3) on the paper, (2, ...): from above, a little to the side."""
    towards = np.array([0.15, -0.45, 0.88])
    towards = towards / np.linalg.norm(towards)
    across = np.array([-towards[1], towards[0], 0.0]) / np.hypot(*towards[:2])
    return np.stack([points @ across, points @ np.cross(towards, across)])


def arrow(axes: Axes, tail: Any, head: Any, colour: str) -> None:
    """A vector."""
    drawn = {"arrowstyle": "-|>", "color": colour, "lw": 1.6, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", head, tail, arrowprops=drawn)


def below(axes: Any, numbers: Numbers) -> None:
    """Lines of theory, and markers of real optimisers' steps."""
    theory, steps = numbers["radial_theory"], numbers["radial_simulation"]
    axes[0].plot(theory["radial"], theory["turn"], color=style.BLACK, **style.THEORY)
    axes[0].plot(steps["radial"], steps["turn"], **style.marked(replace(style.ANY, colour=style.BLACK)))
    for at, colour in zip((0, 2, 4), RADIAL_COLOURS.values(), strict=True):
        axes[0].plot(steps["radial"][at], steps["turn"][at], "o", color=colour, ms=6)
    axes[0].set_xlabel("radial part $A\\langle c, u\\rangle$ [dimensionless]")
    axes[0].set_ylabel("angle of the step [rad]")

    theory, steps = numbers["deformation_theory"], numbers["deformation_simulation"]
    for name, look in (("adam", ADAM), ("adam_s", ADAM_S)):
        style.theory(axes[1], theory, "place", name, look)
        axes[1].plot(steps["place"], steps[name], **style.marked(look))
    axes[1].set_xticks(np.arange(5) * np.pi / 2, ["0", "π/2", "π", "3π/2", "2π"])
    axes[1].set_xlabel("place of $u$ on the circle [rad]")
    axes[1].set_ylabel("radial share of the step [dimensionless]")

    theory, steps = numbers["transport_theory"], numbers["transport_simulation"]
    for name, look in KINDS.items():
        wider = 3.5 if name == "across_projected" else 0  # another line lies on it
        style.theory(axes[2], theory, "distance", name, look, lw=style.THEORY["lw"] + wider)
        axes[2].plot(steps["distance"], steps[name], **style.marked(look))
    axes[2].set(ylim=(-0.03, 1.12))
    axes[2].set_xlabel("distance to the past point [rad]")
    axes[2].set_ylabel("contribution at $u_k$ [gradient]")


FIGURE = Figure(
    id=ID,
    title="Radial parts, division by element and past gradients change the step on the sphere",
    caption=(
        "The panels draw the effects of Fig. 3.5 above and measure them below. (a) Steps of tangential "
        f"length A |c_perp| = {ACROSS:g} from u. A radial part A <c, u> > 0 shortens the weights and turns "
        "them further; a negative one lengthens them and turns them less (Theorem 2). (b) The first step of "
        "Adam with beta1 = 0 divides the gradient by its absolute values. On the circle the step has one of "
        "four directions. A share of up to 1/sqrt 2 of the step is radial, and the step jumps where an "
        "entry of the gradient changes sign. Adam-S keeps the gradient's direction. (c) Two past gradients "
        "of equal length at equal distance from u_k. Projection (P) to the tangent space at u_k multiplies "
        "the gradient along the way by the cosine of the distance; the gradient across the way keeps its "
        "length. Parallel transport (Γ) preserves the lengths of both gradients. Lines: theory. Markers: "
        "single steps of optax's SGD and Adam and of this package's Adam-S, and a momentum after this "
        "package's projection and transport. Nothing is random."
    ),
    paper="roburin2022",
    ref="Fig. 3.5",
    compute=compute,
    draw=draw,
    no_residuals="single steps agree with the lines up to rounding; nothing is random",
)
