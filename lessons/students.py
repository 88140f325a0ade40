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

    **The question.** A student agrees with its teacher on every input. Has it found the teacher's hidden
    units, or can different units give the same outputs? How many examples do you need to decide this?
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

    The teacher has $m$ inputs, $r$ hidden units and $n$ outputs. Each unit has a different polynomial as
    *flexible activation*:

    $$ f(x) = \sum_{i=1}^r w_i\, g_i(v_i \cdot x), \qquad g_i(z) = c_{i2} z^2 + \dots + c_{iq} z^q
       \quad \text{or} \quad c_{i1} z + c_{i2} z^2 + \dots + c_{iq} z^q $$

    The outputs do not determine the order of the units. The outputs also do not determine two scales of each
    unit: the scale of $v_i$ against $c_i$, and of $w_i$ against $c_i$. Without these scales $P - 2r$ of the
    $P$ parameters must be found. In Lesson 1 the outputs determine less: they depend only on the product of
    the two linear layers (Eq. 2.2.2), so even a perfect student may mix its hidden units by any invertible
    matrix.

    **A rank.** A small change $\delta$ of all parameters changes the outputs on $N$ examples by $J \delta$,
    where $J$ is the Jacobian. For almost every teacher, the students near the teacher that agree with the
    examples form a surface. The dimension of this surface, without the scales, is the number of **free
    parameters**

    $$ a(N) = P - 2r - \operatorname{rank} J $$

    Each example adds at most $n$ equations. If $a$ reaches 0, the teacher has exactly one student *in its
    neighbourhood*. If $a$ stays positive for any number of examples, different students always agree.

    **A pencil.** The Jacobian of $f$ at an input $x_k$ is $W D_k V^\top$, with a diagonal matrix $D_k$.
    Linear combinations $A$ and $B$ of several Jacobians have the same form, and the diagonal entries of
    $D_A D_B^{-1}$ are the generalised eigenvalues of the pencil $(A, B)$. If $r \le m$ and $r \le n$, its
    eigenvectors give all $w_i$, a pseudo-inverse gives $v_i$, and least squares gives $g_i$. So there is
    exactly one student, and two matrices determine this student without training.
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

    You begin with three units whose activations have a square and a cube. Remove the cube. Then add a linear
    term instead. Are as many equations as unknowns enough? The simulation trains students of six teachers,
    from up to twelve initial weights.
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
    degree = kit.slider("highest power q [1]", [2, 3, 4], 3, name="degree")
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
    """Number of free parameters without scales, and of those that change a direction."""
    answer = ts.curve("flexible-activations", dynamics="examples", route="rank", times=counts, **of)
    return np.stack([answer[name].values for name in ("ambiguity", "direction_ambiguity")]).astype(int)


@app.function
def to_find(of: dict[str, int]) -> int:
    """Parameters without the scales, P - 2r."""
    return of["units"] * (of["inputs"] + of["outputs"] + of["degree"] - of["lowest"] - 1)


@app.function
def enough(of: dict[str, int]) -> int:
    """Smallest number of examples that leaves as few parameters free as any number does."""
    left, _ = free(range(1, to_find(of) + 2), **of)
    return int(np.argmax(left == left[-1])) + 1


@app.function
def trained(first: int, of: dict[str, int]) -> xr.Dataset:
    """Students of six teachers, each from the first of 12 initial weights that leads to agreement.

    The number of examples is `enough`, one less, and one more.
    """
    counts = [count for count in (enough(of) - 1, enough(of), enough(of) + 1) if count]
    asked: dict[str, Any] = dict(dynamics="examples", route="simulation", times=counts, starts=12, **of)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # those without a student are counted
        return ts.sample("flexible-activations", seeds=6, seed=first, **asked)


@app.function
def sides(drawn: xr.Dataset, of: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Numbers of students that agree with the theory, and of students, for each statement of the theory.

    Fewer than `enough` examples do not determine outputs and directions. More examples determine the outputs,
    and the directions if no free parameter changes one. At `enough` the rank does not decide.
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
        kit.Axis("free parameters a [1]", low=-0.5),
        (
            kit.Line(_counts, _turning, kit.LOOKS[1], "those that change directions", width=5.0),
            kit.Line(_counts, _left, kit.LOOKS[0], "all, without scales"),
            kit.Now(enough(of)),
        ),
    )
    _errors = kit.Panel(
        _x, kit.Axis("error of the student [1]", "log", low=1e-17, high=100), (kit.Now(enough(of)),)
    )
    _told = f"With {enough(of)} examples {_left[-1]} parameters are free; {_turning[-1]} change a direction."
    if drawn is not None:
        _at = np.tile(drawn["time"].values, drawn.sizes["seed"])
        for _look, _name, _label, _beside in (
            (kit.LOOKS[0], "ambiguity", "near trained students: all", 0.1),
            (kit.LOOKS[1], "direction_ambiguity", "near trained students: directions", -0.1),
        ):
            _values = drawn[_name].values.ravel()
            _free = _free.with_marks(kit.Points(_at + _beside, _values, _look, _label))
        for _look, _name, _label in (
            (kit.LOOKS[1], "direction_error", "direction, largest sine"),
            (kit.LOOKS[2], "misfit", "outputs on fresh inputs"),
        ):
            _values = drawn[_name].values.ravel()
            _errors = _errors.with_marks(kit.Points(_at, np.maximum(_values, 1e-17), _look, _label))
    _right = kit.picture(_errors, alt="Errors of trained students over the number of examples.")
    kit.abreast(kit.picture(_free, alt=_told, caption=_told), _right)
    return


@app.cell(hide_code=True)
def _(drawn, first, of):
    def _pencil():
        """Errors of a pencil for the same teachers, if it can recover this many units."""
        if of["units"] > min(of["inputs"], of["outputs"]):
            return []
        asked: dict[str, Any] = dict(dynamics="examples", route="pencil", times=[1])
        found = ts.sample("flexible-activations", seeds=6, seed=first.value, **asked, **of)
        errors = {name: float(found[name].max()) for name in ("direction_error", "misfit")}
        return [
            "- A pencil recovers all six teachers without training. The error of directions is at most "
            f"{errors['direction_error']:.1g}, of outputs {errors['misfit']:.1g}."
        ]

    def _said():
        """Agreement of the students with the theory, as Markdown."""
        if drawn is None:
            return "*No simulation is shown at these settings.*"
        missing = int(drawn["misfit"].isnull().sum())
        lines = [
            f"- **{name[0].upper()}{name[1:]}**: {seen} of {told} students agree with the theory"
            f"{'.' if seen == told else ': **not all**.'}"
            for name, (seen, told) in sides(drawn, of).items()
        ]
        others = drawn["misfit"].sel(time=enough(of)).values
        told = np.isfinite(others)
        lines.append(
            f"- With {enough(of)} examples the rank does not decide: {np.sum(others[told] > ZERO)} of "
            f"{np.sum(told)} students have different outputs from the teacher."
        )
        lines.append(
            f"- In {missing} of {drawn['misfit'].size} cases training failed from all 12 initial weights. "
            f"Students agree with their examples to 1e-12, so errors below {ZERO:g} count as 0. Counts have "
            "no standard errors."
        )
        last = drawn.isel(time=-1).dropna("seed")
        worst = {name: f"{max(last[name].values, default=0):.1g}" for name in ("direction_error", "misfit")}
        lines.append(
            f"- With {int(drawn['time'][-1])} examples the largest errors of {last.sizes['seed']} students "
            f"are {worst['direction_error']} for directions and {worst['misfit']} for outputs."
        )
        return "\n".join([*lines, *_pencil()])

    kit.text(_said())
    return


@app.cell(hide_code=True)
def _(forever, of, turned):
    _narrow = min(of["inputs"], of["outputs"])
    if of["units"] <= _narrow:
        _pencil = "A pencil recovers these units, so there is exactly one student."
    else:
        _proof = "" if forever else ". Nothing here excludes another student far away"
        _pencil = f"A pencil cannot recover these units, because it needs r to be at most {_narrow}{_proof}."
    _parameters = to_find(of) + 2 * of["units"]
    if turned:
        _verdict = f"**No**: {forever} parameters stay free, and {turned} of them change directions."
    elif forever:
        _verdict = (
            f"**Not quite**: the directions are determined, but {forever} of the coefficients stay free."
        )
    else:
        _verdict = f"**Yes**, in the neighbourhood: with {enough(of)} examples or more no parameter is free."
    kit.text(rf"""
    **One student at these settings?** {_verdict} {to_find(of)} of the {_parameters} parameters must be
    found, and each example gives at most {of["outputs"]} equations. {_pencil}
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
        f"Free parameters of 1, 2, 3, 4, 5 units with {inputs.value} inputs and {outputs.value} outputs, "
        f"{linear.value} a linear term",
        _rows,
        "0: exactly one student nearby. In brackets, if different: the parameters that change directions.",
    )
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **What you should find.** The square of any sum of two inputs with weights is a combination of only three
    terms, $x_1^2$, $x_1 x_2$ and $x_2^2$. So three examples determine the outputs for any units, and any
    three directions $v_i$ can produce these outputs. A linear term or a cube adds equations that only the
    teacher's directions satisfy. If there are as many equations as unknowns and no parameter is free,
    training often finds *different* students. The reason is that as many polynomial equations as unknowns
    have several isolated solutions. One more example excludes the wrong students. The equations are linear
    only if $f$ can be *any* polynomial of these powers. One more example is then not needed.

    If training finds no other student, this does not prove that there is none. If a pencil works, it proves
    that there is exactly one student. A set of teachers of measure zero is an exception to all these
    statements, for example teachers with two units of the same direction.
    """)
    return


@app.cell(hide_code=True)
def _():
    def _told(p):
        """Free parameters at each highest power, for three units, two inputs and three outputs."""
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
    ## What would refute these claims?

    - **If no parameter is free, there is one student in the neighbourhood.** Two students would refute this
      if they agree everywhere and are arbitrarily close: `teacherstudent check fa-rank` looks for free
      parameters nearby.
    - **If no free parameter changes a direction, a student that agrees has the teacher's directions.** One
      trained student would refute this if it has different directions and agrees on more examples than are
      needed: `teacherstudent check fa-one-student` looks for one.
    - **Three units that square two inputs cannot be identified.** No simulation could refute this claim,
      because the rank is an integer, and the free directions can be written down.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("students")
    return


if __name__ == "__main__":
    app.run()
