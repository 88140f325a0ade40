"""Lesson 11: When does a teacher have exactly one student?"""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 11: When does a teacher have exactly one student?",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    import warnings
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr

    import teacherstudent as ts
    from teacherstudent.lessons import kit

    ENDLESS = 10_000
    ZERO = 1e-5
    """Errors below this are rounding: students agree with their examples to 1e-12, and no better."""


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # When does a teacher have exactly one student?

    **The question.** A student agrees with its teacher on every input there is. Has it found the teacher's
    hidden units, or could other units do the same? And how many examples does it take to know?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("students")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The mathematics

    The teacher has $m$ inputs, $r$ hidden units and $n$ outputs, and each unit a polynomial of its own, a
    *flexible activation*:

    $$ f(x) = \sum_{i=1}^r w_i\, g_i(v_i \cdot x), \qquad g_i(z) = c_{i2} z^2 + \dots + c_{iq} z^q
       \quad \text{or} \quad c_{i1} z + c_{i2} z^2 + \dots + c_{iq} z^q $$

    Nothing tells the units' order, nor two scales of each, of $v_i$ against $c_i$ and of $w_i$ against $c_i$.
    They do not count. Of the $P$ parameters $P - 2r$ are left to be found. In Lesson 1 there is more: of two
    linear layers only the product is seen (Eq. 2.2.2), so that even a perfect student may mix its hidden
    units by any matrix.

    **A rank.** A small change $\delta$ of all parameters changes the outputs on $N$ examples by $J \delta$.
    Near almost every teacher the students that agree with the examples are a surface, and its dimension
    beside the scales is

    $$ a(N) = P - 2r - \operatorname{rank} J $$

    Each example adds up to $n$ equations. Where $a$ comes to 0 the teacher has one student *nearby*. Where it
    does not, however many examples there are, it never has.

    **A pencil.** The Jacobian of $f$ at an input $x_k$ is $W D_k V^\top$, with $D_k$ diagonal, and so are
    mixtures $A$ and $B$ of several: the numbers on the diagonal of $D_A D_B^{-1}$ are their generalised
    eigenvalues. With $r \le m$ and $r \le n$, eigenvectors give $w_i$, a pseudo-inverse $v_i$ and least
    squares $g_i$: all directions, from two matrices. So there is one student, and no search is needed.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("students")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    Begin with three units that square two inputs. Add a linear term, or a cube. Are as many equations as
    unknowns enough? **Simulate** trains students of six teachers, each from up to twelve starts.
    """)
    return


@app.cell
def _():
    linear = kit.choice(
        "lowest power", {"without": "2: no linear term", "with": "1: a linear term"}, "without", name="linear"
    )
    inputs = kit.slider("inputs m [1]", [1, 2, 3, 4], 2, name="inputs")
    outputs = kit.slider("outputs n [1]", [1, 2, 3, 4], 3, name="outputs")
    units = kit.slider("hidden units r [1]", [1, 2, 3, 4, 5], 3, name="units")
    degree = kit.slider("highest power q [1]", [2, 3, 4], 2, name="degree")
    first = kit.slider("first of 6 teachers [1]", list(range(0, 120, 6)), 0)
    simulate = kit.simulate_button()
    _sliders: dict[str, Any] = dict(inputs=inputs, outputs=outputs, units=units, degree=degree, first=first)
    kit.controls(linear=linear, **_sliders, simulate=simulate)
    return degree, first, inputs, linear, outputs, simulate, units


@app.function
def system(m: int, n: int, r: int, q: int, p: int) -> dict[str, int]:
    """A network by the names of its parameters: m inputs, n outputs, r units, powers from p to q."""
    return dict(inputs=m, outputs=n, units=r, degree=q, lowest=p)


@app.function
def free(counts: Any, **of: Any) -> np.ndarray:
    """Parameters that so many examples leave free: all beside scales, and those that turn a direction."""
    answer = ts.curve("flexible-activations", dynamics="examples", route="rank", times=counts, **of)
    return np.stack([answer[name].values for name in ("ambiguity", "direction_ambiguity")]).astype(int)


@app.function
def to_find(of: dict[str, int]) -> int:
    """Parameters less the scales, P - 2r."""
    return of["units"] * (of["inputs"] + of["outputs"] + of["degree"] - of["lowest"] - 1)


@app.function
def enough(of: dict[str, int]) -> int:
    """The least number of examples that leave no more free than all do."""
    left, _ = free(range(1, to_find(of) + 2), **of)
    return int(np.argmax(left == left[-1])) + 1


@app.function
def trained(first: int, of: dict[str, int]) -> xr.Dataset:
    """Students of six teachers, each the first of 12 starts that comes to agree with all of its examples.

    There is one example less than `enough`, as many, or one more.
    """
    counts = [count for count in (enough(of) - 1, enough(of), enough(of) + 1) if count]
    asked: dict[str, Any] = dict(dynamics="examples", route="simulation", times=counts, starts=12, **of)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # those without a student are counted
        return ts.sample("flexible-activations", seeds=6, seed=first, **asked)


@app.function
def sides(drawn: xr.Dataset, of: dict[str, int]) -> dict[str, tuple[int, int]]:
    """How many students are on the side of the theory, and of how many, by what it says of them.

    Fewer than `enough` examples leave outputs and directions open. More fix the outputs, and the directions
    if none of them can turn. At `enough` itself the rank says nothing of students that are far away.
    """
    counts = drawn["time"].values.astype(int)
    left, turning = free(counts, **of)
    told = drawn["misfit"].notnull().values
    right = {
        "free parameters": (drawn["ambiguity"].values == left)
        & (drawn["direction_ambiguity"].values == turning),
        "outputs": (drawn["misfit"].values < ZERO) == (counts > enough(of)),
        "directions": (drawn["direction_error"].values < ZERO) == ((counts > enough(of)) & (turning == 0)),
    }
    found = {}
    for name, each in right.items():
        judged = told if name == "free parameters" else told & (counts != enough(of))
        found[name] = int(np.sum(each & judged)), int(np.sum(judged))
    return found


@app.cell
def _(degree, inputs, linear, outputs, units):
    of = system(inputs.value, outputs.value, units.value, degree.value, 1 if linear.value == "with" else 2)
    forever, turned = (int(each) for each in free([ENDLESS], **of)[:, 0])
    return forever, of, turned


@app.cell
def _(first, of, simulate):
    drawn = kit.on_demand(simulate, lambda: trained(first.value, of))
    return (drawn,)


@app.cell(hide_code=True)
def _(drawn, forever, of, turned):
    _counts = np.arange(1, enough(of) + 4)
    _left, _turning = free(_counts, **of)
    _x = kit.Axis("examples N [1]", low=0, high=float(_counts[-1]) + 0.5)
    _free = kit.Panel(
        _x,
        kit.Axis("parameters left free a [1]", low=-0.5),
        (
            kit.Line(_counts, _turning, kit.LOOKS[1], "those that turn directions", width=5.0),
            kit.Line(_counts, _left, kit.LOOKS[0], "all, beside scales"),
            kit.Now(enough(of)),
        ),
    )
    _errors = kit.Panel(
        _x, kit.Axis("error of the student [1]", "log", low=1e-17, high=100), (kit.Now(enough(of)),)
    )
    _told = f"After {enough(of)} examples {_left[-1]} are free, of which {_turning[-1]} turn a direction."
    if drawn is not None:
        _at = np.tile(drawn["time"].values, drawn.sizes["seed"])
        for _look, _name, _label, _beside in (
            (kit.LOOKS[0], "ambiguity", "around trained students", 0.1),
            (kit.LOOKS[1], "direction_ambiguity", "around them, turning", -0.1),
        ):
            _values = drawn[_name].values.ravel()
            _free = _free.with_marks(kit.Points(_at + _beside, _values, _look, _label))
        for _look, _name, _label in (
            (kit.LOOKS[1], "direction_error", "worst direction, as a sine"),
            (kit.LOOKS[2], "misfit", "outputs on fresh inputs"),
        ):
            _values = drawn[_name].values.ravel()
            _errors = _errors.with_marks(kit.Points(_at, np.maximum(_values, 1e-17), _look, _label))
    _right = kit.picture(_errors, alt="Errors of trained students on either side of as many examples.")
    kit.abreast(kit.picture(_free, alt=_told, caption=_told), _right)
    return


@app.cell(hide_code=True)
def _(drawn, first, of):
    def _pencil():
        """How a pencil recovers the same teachers, where it takes so many units."""
        if of["units"] > min(of["inputs"], of["outputs"]):
            return []
        asked: dict[str, Any] = dict(dynamics="examples", route="pencil", times=[1])
        found = ts.sample("flexible-activations", seeds=6, seed=first.value, **asked, **of)
        errors = {name: float(found[name].max()) for name in ("direction_error", "misfit")}
        return [
            "- A pencil recovers all six teachers without training: directions to "
            f"{errors['direction_error']:.1g}, outputs to {errors['misfit']:.1g}."
        ]

    def _said():
        """Students on the side of the theory, in words."""
        if drawn is None:
            return "*Nothing is simulated yet at these settings: press **Simulate**.*"
        missing = int(drawn["misfit"].isnull().sum())
        lines = [
            f"- **{name[0].upper()}{name[1:]}**: {seen} of {told} students are on the side of the theory"
            f"{'.' if seen == told else ': **not all**.'}"
            for name, (seen, told) in sides(drawn, of).items()
        ]
        others = drawn["misfit"].sel(time=enough(of)).values
        told = np.isfinite(others)
        lines.append(
            f"- At {enough(of)} examples, where the rank does not decide, {np.sum(others[told] > ZERO)} of "
            f"{np.sum(told)} students have other outputs than the teacher."
        )
        lines.append(
            f"- {missing} of {drawn['misfit'].size} cases have no student: none of 12 starts came to agree. "
            f"What agrees does so to 1e-12, so that errors below {ZERO:g} count as 0; there are no means "
            "here, and so no standard errors."
        )
        last = drawn.isel(time=-1).dropna("seed")
        worst = {name: f"{max(last[name].values, default=0):.1g}" for name in ("direction_error", "misfit")}
        lines.append(
            f"- With {int(drawn['time'][-1])} examples {last.sizes['seed']} students miss directions by at "
            f"most {worst['direction_error']}, outputs by {worst['misfit']}."
        )
        return "\n".join([*lines, *_pencil()])

    kit.text(_said())
    return


@app.cell(hide_code=True)
def _(forever, of, turned):
    _narrow = min(of["inputs"], of["outputs"])
    if of["units"] <= _narrow:
        _pencil = "A pencil recovers these units, so there is no other student."
    else:
        _proof = "" if forever else ", and nothing here proves that no other student is far away"
        _pencil = f"A pencil does not reach these units, for it takes at most {_narrow}{_proof}."
    _parameters = to_find(of) + 2 * of["units"]
    if turned:
        _verdict = f"**No**: {forever} parameters stay free for ever, and {turned} of them turn directions."
    elif forever:
        _verdict = (
            f"**Not quite**: directions are fixed, but {forever} of the coefficients stay free for ever."
        )
    else:
        _verdict = f"**Yes**, nearby: nothing is free from {enough(of)} examples on."
    kit.text(rf"""
    **One student at these settings?** {_verdict} Of {_parameters} parameters {to_find(of)} are to be found,
    and each example gives up to {of["outputs"]} equations. {_pencil}
    """)
    return


@app.cell(hide_code=True)
def _(inputs, linear, of, outputs):
    _kind = {
        q: [free([ENDLESS], **{**of, "units": r, "degree": q})[:, 0] for r in range(1, 6)]
        for q in range(2, 5)
    }
    _rows = {
        f"highest power {q}": ", ".join(f"{a} ({b})" if a != b else f"{a}" for a, b in each)
        for q, each in _kind.items()
    }
    kit.table(
        f"What stays free of 1, 2, 3, 4, 5 units with {inputs.value} inputs and {outputs.value} outputs, "
        f"{linear.value} a linear term",
        _rows,
        "0: exactly one student nearby. In brackets, where it is another number: what turns directions.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **What you should find.** Squares of two inputs are combinations of only three, $x_1^2$, $x_1 x_2$ and
    $x_2^2$: three examples fix the outputs, whatever the units are, and any three directions $v_i$ do as
    well. A linear term or a cube adds equations that only the right directions meet. Where there are as many
    equations as unknowns and nothing is free, training often finds *other* students: as many polynomial
    equations as unknowns have several solutions, each of them alone in its neighbourhood. One example more
    excludes them. Only where $f$ can be *any* polynomial of these powers are the equations linear, and the
    last example is not needed.

    That training does not find another student is no proof; where a pencil works there is one. Teachers of
    measure zero are exceptions to all of this, such as two units with the same direction.
    """)
    return


@app.cell(hide_code=True)
def _():
    def _told(p):
        """What is free at each highest power, of three units with two inputs and three outputs."""
        each = [f"{free([ENDLESS], **system(2, 3, 3, q, p))[0, 0]} at the power {q}" for q in (2, 3, 4)]
        return ", ".join(each)

    _of = system(2, 3, 3, 2, 2)
    _first_values = dict(two=_told(2), one=_told(1), to_find=to_find(_of), free=free([ENDLESS], **_of)[0, 0])
    _of = system(2, 3, 4, 3, 2)
    _space = 3 * (3 + 4)
    _second_values = dict(space=_space, to_find=to_find(_of), free=free([ENDLESS], **_of)[0, 0])
    _with, _without = (free([ENDLESS], **system(2, 1, 3, 4, p))[:, 0] for p in (1, 2))
    kit.exercises(
        "students",
        _first_values,
        _second_values,
        dict(with_first=_with[0], without_first=_without[0], with_last=_with[1]),
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## What would convince you otherwise?

    - **Nothing is free, so there is one student nearby.** Refuted by two students that agree everywhere and
      are as near as you like: `teacherstudent check fa-rank` looks for free parameters around trained ones.
    - **Agreement gives the directions where none can turn.** Refuted by one trained student with other
      directions that agrees on more examples than are enough: `teacherstudent check fa-one-student` looks for
      it.
    - **Three units that square two inputs cannot be told.** Nothing on this page could refute that: the rank
      is counted in whole numbers, and the free directions can be written down.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("students")
    return


if __name__ == "__main__":
    app.run()
