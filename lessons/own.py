"""Lesson 21: A first hour with your own table."""
# mypy: allow-untyped-defs, allow-incomplete-defs

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium",
    app_title="Lesson 21: A first hour with your own table",
    css_file="lesson.css",
    html_head_file="head.html",
)

with app.setup:
    from typing import Any

    import marimo as mo
    import numpy as np
    import xarray as xr
    from sklearn.datasets import load_diabetes

    import teacherstudent as ts
    from teacherstudent.lessons import kit
    from teacherstudent.lessons.rows import endless, spread


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # A first hour with your own table

    **The question.** You have a table, and one hour before a meeting. Will more rows help? How long should a
    linear model train? Which columns harm it? And how do you know that the answers hold for *your* rows?
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.opening("own")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## The hour

    The table here has 442 patients and ten measurements of each (age, sex, body mass index, blood pressure,
    and six of the blood). The target is the progress of their diabetes after one year, scaled to variance 1.
    A model that always predicts the mean has the error 1.

    **Minutes 0 to 10: look at the columns.** Which columns cannot be known when the model is used? A column
    that was measured *after* the target gives the target away. Which columns only number the rows? A patient
    number, a date or a file name has no effect that will repeat. Leave them out: `--leave-out patient,date`.

    **Minutes 10 to 20: choose the units.** A linear student learns a direction of variance $\lambda$ from $n$
    rows at the training time $s \sim 1/(n \lambda)$ (Eq. 2.3.13). A column in small units has a small
    variance, and is learned late. If each column is divided by its standard deviation (`--standardise`), all
    columns are treated equally.

    **Minutes 20 to 40: ask for the report.** `teacherstudent mine --table table.csv --target progression`
    predicts the error over the number of rows, over training time and over the ridge. The predictions use
    two curves of the table only, its eigenvalues and the power of the target along each direction
    (Lesson 13). Without stopping, with $p$ columns and a share $b_0$ of the target that the columns do not
    express, $n > p$ rows of a pool of $P$ give

    $$ E = \frac{b_0}{(1 - p/n)(1 - p/P)} $$

    More columns cost rows: the error rises with $p/n$, and has a peak at $n = p$.

    **Minutes 40 to 60: check.** The certificate compares the prediction with training on subsets of *your*
    rows. The **spread** of the rows says how much they differ in their effect on the model: below 0.1 the
    formula holds within some percent, above 0.4 only measured errors count. Neither the theory nor the
    subsets can see that rows depend on each other: several rows of one patient, or rows in the order of
    time, make every error here too small.
    """)
    return


@app.cell(hide_code=True)
def _():
    kit.think_first("own")
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    ## Try it

    Choose one of five forms of the same table, and compare them. In the last three, columns are added to the
    standardised ones. Which form hides a good column? In which form does long training make the error large?
    Which form looks too good?
    """)
    return


@app.cell
def _():
    table = kit.choice(
        "table",
        {
            "standardised": "standardised columns",
            "raw": "columns in their own units",
            "numbered": "with a patient number",
            "noisy": "with 40 columns of noise",
            "leaking": "with a column measured after the target",
        },
        "standardised",
        name="table",
    )
    n = kit.slider("training rows n [1]", [12, 15, 20, 30, 50, 60, 80, 120, 200, 300, 400], 80)
    s = kit.slider("training time s [1/variance]", kit.log_steps(0.01, 1e4, 3), 10.0)
    simulate = kit.simulate_button()
    kit.controls(table=table, n=n, s=s, simulate=simulate)
    return n, s, simulate, table


@app.cell
def _():
    _columns, _progress = load_diabetes(return_X_y=True, scaled=False)
    target = (_progress - _progress.mean()) / _progress.std()
    _plain = (_columns - _columns.mean(axis=0)) / _columns.std(axis=0)
    _random = np.random.default_rng(0)
    _rows = len(target)
    _later = target + 0.3 * _random.standard_normal(_rows)
    _number = np.argsort(_random.permutation(_rows)) * 1.0

    def _scaled(*columns):
        """Columns with their means removed and one factor for all, so that their variances add up to 1."""
        made = np.column_stack(columns)
        made = made - made.mean(axis=0)
        return made / np.sqrt(made.var(axis=0).sum())

    tables = {
        "standardised": _scaled(_plain),
        "raw": _scaled(_columns),
        "numbered": _scaled(_plain, (_number - _number.mean()) / _number.std()),
        "noisy": _scaled(_plain, _random.standard_normal((_rows, 40))),
        "leaking": _scaled(_plain, _later / _later.std()),
    }
    return tables, target


@app.cell
def _(tables, target):
    def _measured(features):
        """The two curves of a table, and the leverages of its rows at each q."""
        rows = len(features)
        vectors, singular, _ = np.linalg.svd(features, full_matrices=False)
        eigenvalues = singular**2 / rows
        power = (vectors.T @ target) ** 2 / rows
        log_q = np.linspace(-4, 17, 85)
        learned = 1 - 1 / (1 + np.exp(log_q)[:, None] * eigenvalues)
        leverage = learned @ (vectors**2).T
        odds = leverage / (1 - leverage)
        return dict(
            rows=rows,
            eigenvalues=eigenvalues.tolist(),
            power=[power.tolist()],
            rest=[1 - power.sum()],
            log_q=log_q.tolist(),
            odds=odds.mean(axis=1).tolist(),
            odds_scatter=odds.std(axis=1).tolist(),
        )

    given: dict[str, Any] = {name: _measured(each) for name, each in tables.items()}
    return (given,)


@app.cell
def _(table, tables, target):
    features = tables[table.value]

    def errors(ask=ts.curve, **question) -> xr.Dataset:
        """Errors on new rows of the chosen table, by the system measured-spectrum."""
        question |= dict(features=features, targets=target, task="regression", intercept="pool")
        made = ask("measured-spectrum", **question)[["generalisation_error"]]
        made["generalisation_error"].attrs |= {"long_name": "error on new rows"}
        return made

    return (errors,)


@app.cell
def _(errors, n, s):
    course = errors(dynamics="flow", route="asymptotic", n=n.value, times="0.01:1e4:49")
    sizes = [12, 15, 20, 27, 37, 52, 70, 100, 150, 220, 300, 400]
    _each = [errors(dynamics="flow", route="asymptotic", n=size, times=[s.value]) for size in sizes]
    learning = xr.concat(_each, xr.Variable("n", sizes), combine_attrs="override").isel(time=0, drop=True)
    return course, learning, sizes


@app.cell
def _(errors, n, s, simulate):
    def _trained(rows, times):
        """Students trained step by step on 60 subsets of the rows, and the limit of such steps."""
        rate = 0.05 / rows  # an eigenvalue of n rows is at most about n times the variance, which is 1
        steps = np.unique(np.rint(np.array(times) / rate))
        asked = dict(dynamics="descent", n=rows, learning_rate=rate, times=steps)
        seen = errors(ts.sample, route="simulation", seeds=60, **asked).assign_coords(time=rate * steps)
        claimed = errors(route="asymptotic", **asked).assign_coords(time=rate * steps)
        return seen, claimed

    def _simulated():
        """Students over time, and of several numbers of rows."""
        some = [15, 30, 60, 120, 400]
        pairs = zip(*(_trained(size, [s.value]) for size in some), strict=True)
        told = [
            xr.concat([e.isel(time=0, drop=True) for e in each], xr.Variable("n", some)) for each in pairs
        ]
        for each in told:
            each["generalisation_error"].attrs |= {"long_name": "error over the number of rows"}
        return ts.compare(*_trained(n.value, np.geomspace(0.02, 1e4, 14))), ts.compare(*told)

    time_comparison, rows_comparison = kit.on_demand(simulate, _simulated) or (None, None)
    return rows_comparison, time_comparison


@app.cell(hide_code=True)
def _(course, given, learning, n, rows_comparison, s, sizes, table, time_comparison):
    _given = given[table.value]
    _p = len(_given["eigenvalues"])
    _course, *_gaps = kit.curves(
        course,
        "generalisation_error",
        ["theory"],
        comparison=time_comparison,
        x=kit.Axis("training time s [1/variance]", "log"),
        y=kit.Axis("error on new rows [output^2]", low=0, high=2),
    )
    _learning, *_rest = kit.curves(
        learning,
        "generalisation_error",
        ["stopped at s"],
        along="n",
        comparison=rows_comparison,
        x=kit.Axis("training rows n [1]", "log"),
        y=kit.Axis("error on new rows [output^2]", low=0, high=2),
    )
    _many = np.geomspace(sizes[0], sizes[-1], 121)
    _ended = [endless(_given, 0, each, 0.0) for each in _many]
    _least = course["generalisation_error"].min().item()
    kit.abreast(
        kit.picture(
            _course.with_marks(kit.Now(s.value)),
            *_gaps,
            alt=f"The error on new rows over training time is at least {_least:.3g}.",
            caption=f"Error over training time with n = {n.value} rows. The thin line marks s.",
        ),
        kit.picture(
            _learning.with_marks(kit.Line(_many, _ended, kit.LOOKS[1], "not stopped"), kit.Now(n.value)),
            *_rest,
            alt=f"Without stopping, the error has a peak at n = {_p}, the number of columns.",
            caption=f"Error over the number of rows for {_p} columns. The thin line marks n.",
        ),
    )
    return


@app.cell(hide_code=True)
def _(rows_comparison, time_comparison):
    kit.verdict(time_comparison, rows_comparison)
    return


@app.cell(hide_code=True)
def _(course, given, n, s, table):
    _given, _errors = given[table.value], course["generalisation_error"]
    _best = _errors.isel(time=_errors.argmin("time"))
    _end, _twice = (endless(_given, 0, each, 0.0) for each in (n.value, 2 * n.value))
    _p = len(_given["eigenvalues"])
    _more = f"With twice as many rows it ends at {_twice:.3g}." if 2 * n.value < _given["rows"] else ""
    kit.text(rf"""
    At $n =$ {n.value} rows and {_p} columns the error has its minimum {_best.item():.3g} near $s =$
    {_best["time"].item():.2g}, and without stopping it ends at {_end:.3g}. {_more} The columns do not express
    {_given["rest"][0]:.3g} of the target. The spread of the rows is {spread(_given, n.value, s.value):.2g} at
    $s =$ {s.value:g}.
    """)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    **What you should find.**

    - *Columns in their own units*: the error falls late. The body mass index is the best single column, but
      its variance is small in these units. Its direction is learned about 150 times later than the strongest
      direction, and is not used if training stops early.
    - *A patient number* hardly changes the error, as long as there are many more rows than columns. In a
      table of few rows each such column costs as much as a real one, and gives nothing.
    - *40 columns of noise* move the peak to $n = 50$: long training with about as many rows as columns is
      worst, and stopping early or a ridge is necessary.
    - *A column that was measured after the target* looks best of all. No theory and no test on the same table
      can see that the column will be missing when the model is used. Only you can.

    ## Your own table

    The steps above, for a file `table.csv` with a column `progression`:

    ```sh
    teacherstudent mine --table table.csv --target progression \
        --leave-out patient --standardise
    ```

    The report says whether more rows help, when to stop, which ridge is best, and whether its own predictions
    can be trusted, with a comparison on subsets of your rows. In Python,
    `ts.mine(frame, target="progression", standardise=True)` gives the same report.

    ## Which experiments could refute this?

    - **The two curves decide.** Shuffle each column among the rows, which keeps the variances and destroys
      the power: the error must not fall clearly below 1.
    - **The formula holds for these rows.** Markers are students that were trained on subsets of the rows. At
      a spread below 0.1 they must lie on the lines.
    - **More rows help as predicted.** Train on half of your rows, predict the error with all, and compare.
    """)
    return


@app.cell(hide_code=True)
def _(given):
    _raw = np.array(given["raw"]["eigenvalues"])
    _times = 1 / (80 * _raw)
    _rows = [columns * (1 + 1 / 0.05) for columns in (10, 50)]
    kit.exercises(
        "own",
        dict(first=_times[0], seventh=_times[6], last=_times[-1]),
        dict(few=_rows[0], many=_rows[1]),
    )
    return


@app.cell(hide_code=True)
def _():
    kit.onwards("own")
    return


if __name__ == "__main__":
    app.run()
