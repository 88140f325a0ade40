// Lesson 18: why a student generalises long after it has fitted its training set.
// needs: page/page.js numerics/roots.js theory/one_scale.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format, kept, spaced } = TS;
  const { brent } = TS.numerics.roots;

  const TIMES = spaced(0.1, 1e6, 71);
  const ALWAYS = 1e12; // a time after which nothing changes
  const [FITTED, ABOVE] = [0.01, 0.02]; // level of the training error; of the test error above its final value
  const RIDGES = [1e-5, 3.2e-5, 1e-4, 3.2e-4, 1e-3, 3.2e-3, 0.01, 0.032, 0.1, 0.32, 1];
  const [LEAST, MOST] = [1e-4, 100];
  const CLOCK = axis("training time s [1/curvature]", { scale: "log", high: 2e6 });

  const flow = (times, question) => TS.theory.one_scale.flow({ scales: [[1000, 1]], times, ...question });

  // The test error of ridge regression; without a ridge the limit of a vanishing ridge.
  const finalError = (question) => flow([ALWAYS], { ...question, init: 0 }).generalisation_error[0];

  // The time at which the error `name` falls below `level` for the last time; NaN if it does not.
  function lastTimeAbove(level, name, times, answer, question) {
    const last = answer[name].findLastIndex((each) => each > level);
    if (last < 0 || last === times.length - 1) return NaN;
    const excess = (s) => flow([s], question)[name][0] - level;
    return brent(excess, times[last], times[last + 1], { accuracy: 1e-8 });
  }

  // The times t1 and t2, each between two of `times`; NaN if a time does not exist.
  const twoTimes = (times, answer, question) => [
    lastTimeAbove(FITTED, "training_error", times, answer, question),
    lastTimeAbove(finalError(question) + ABOVE, "generalisation_error", times, answer, question),
  ];

  const plateau = (alpha, init) => init * init * Math.max(0, 1 - alpha);
  const law = (height, ridge) => (height > ABOVE && ridge ? Math.log(height / ABOVE) / (2 * ridge) : NaN);

  const FEW = TIMES.filter((_, i) => i % 5 === 0);
  const overRidge = kept((others) => RIDGES.map((ridge) => {
    const question = { ...others, ridge };
    return twoTimes(FEW, flow(FEW, question), question);
  }));
  const atZero = kept((question) => flow(TIMES, question).generalisation_error);

  function compute(at) {
    const height = plateau(at.alpha, at.init);
    const { ridge, ...others } = at;
    const theory = flow(TIMES, at);
    return {
      theory,
      atZero: atZero({ ...at, init: 0 }),
      end: finalError(at),
      times: twoTimes(TIMES, theory, at),
      height,
      nullSpace: TIMES.map((s) => height * Math.exp(-2 * ridge * s)),
      overRidge: overRidge(others),
    };
  }

  const existing = (time) => (Number.isFinite(time) ? format(time, ".3g") : "does not exist");

  function errors({ theory, times, end, height, nullSpace }) {
    const marks = [
      [times[0], LOOKS[1], "t₁: fitted"],
      [times[1], LOOKS[0], "t₂: generalises"],
    ].filter(([at]) => Number.isFinite(at))
      .map(([at, look, label]) => line([at, at], [LEAST, MOST], look, label, { width: 1 }));
    if (height) {
      const claimed = nullSpace.map((each) => end + each);
      marks.push(line(TIMES, claimed, LOOKS[2], "law", { dashed: true }));
    }
    return chart(CLOCK, axis("error [output^2]", { scale: "log", low: LEAST, high: MOST }), [
      line(TIMES, theory.generalisation_error, LOOKS[0], "test error"),
      line(TIMES, theory.training_error, LOOKS[1], "training error"),
      ...marks,
    ], { alt: `Training and test error over time. t1: ${existing(times[0])}; t2: ${existing(times[1])}.` });
  }

  function times({ ridge }, { overRidge: found, height }) {
    const x = axis("ridge λ [curvature]", { scale: "log", low: 1e-5, high: 1 });
    return chart(x, axis("time [1/curvature]", { scale: "log", low: 0.1, high: 1e6 }), [
      line(RIDGES, found.map(([first]) => first), LOOKS[1], "t₁"),
      line(RIDGES, found.map(([, second]) => second), LOOKS[0], "t₂"),
      line(RIDGES, RIDGES.map((each) => law(height, each)), LOOKS[2], "law for t₂", { dashed: true }),
      ...(ridge ? [now(ridge)] : []),
    ], {
      alt: "The times t1 and t2 over the ridge.",
      caption: "A line ends where its time does not exist.",
    });
  }

  function parts({ alpha, init, noise }, { theory, atZero, height, nullSpace }) {
    const rest = Array.from(atZero, (each) => each - noise ** 2);
    const marks = [line(TIMES, rest, LOOKS[3], "error of a student that starts at zero")];
    if (init) {
      const rows = nullSpace.map((each, t) => theory.generalisation_error[t] - atZero[t] - each);
      const seen = rows.map((each) => (each > 1e-9 ? each : NaN)); // below, the difference is rounding
      marks.push(line(TIMES, seen, LOOKS[4], "initial weights in the row space"));
    }
    if (height) marks.push(line(TIMES, nullSpace, LOOKS[2], "initial weights in the null space"));
    const y = axis("part of the test error [output^2]", { scale: "log", low: LEAST, high: MOST });
    return chart(CLOCK, y, marks, {
      alt: "Parts of the test error over time.",
      caption: `A share ${format(Math.max(0, 1 - alpha), ".2g")} of all directions is in the null space.`,
    });
  }

  function words({ alpha, ridge }, { theory, end, height, times: [fitted, general] }) {
    const [t1, t2] = ["<i>t</i><sub>1</sub>", "<i>t</i><sub>2</sub>"];
    const [train, test] = [theory.training_error, theory.generalisation_error].map((each) => each[TIMES.length - 1]);
    const [smallest, claim, finish] = [(1 - Math.sqrt(alpha)) ** 2, law(height, ridge), format(end, ".3g")];
    let said = Number.isFinite(fitted)
      ? `The training error falls below 0.01 at ${t1} = ${format(fitted, ".4g")}.`
      : `The training error ends at ${format(train, ".3g")}, above 0.01: ${t1} does not exist.`;
    if (Number.isFinite(general)) {
      said +=
        ` The test error falls to 0.02 above its final value ${finish} at ${t2} = ${format(general, ".5g")}.`;
      if (Number.isFinite(fitted)) said += ` The ratio is ${t2}/${t1} = ${format(general / fitted, ".3g")}.`;
    } else if (test > end + ABOVE) {
      said +=
        ` The test error ends at ${format(test, ".3g")}, and from initial weights zero at ${finish}: ` +
        `${t2} does not exist, because the plateau has no end.`;
    } else said += ` The test error is never more than 0.02 above its final value ${finish}.`;
    if (Number.isFinite(claim)) {
      said += ` The law gives ${t2} = ${format(claim, ".5g")}.`;
      if (ridge > smallest / 10) {
        said +=
          ` The ridge is not far below the smallest curvature ${format(smallest, ".2g")}: do not rely on it.`;
      }
    } else said += " The law does not apply: it needs a ridge, and a plateau more than 0.02 above the final error.";
    return [`<p>${said}</p>`];
  }

  const pictures = (at, it) => [errors(it), parts(at, it), times(at, it)];

  TS.page({ compute, pictures, words });
})();
