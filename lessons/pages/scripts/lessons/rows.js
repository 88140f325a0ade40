// Lesson 13: predicting the learning curve of your own rows.
// needs: page/page.js theory/measured_spectrum.js theory/row_spread.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, panel, picture, format, given, spaced, kept } = TS;
  const { flow, ridge, endless } = TS.theory.measured_spectrum;
  const { names, eigenvalues, rows } = given;
  const spread = (n, s) => TS.theory.rowSpread(given, n, s);

  const TIMES = spaced(0.01, 1e4, 49);
  const SIZES = [12, 15, 18, 22, 27, 32, 37, 41, 46, 52, 58, 68, 80, 98, 120, 155, 200, 265, 350, 530, 800];
  const MANY = spaced(12, 800, 120);
  const MODES = eigenvalues.map((_, k) => k + 1);

  const errors = (n, noise, times) =>
    flow({ eigenvalues, powers: given.power, rests: given.rest, rows, n, noise, times }).generalisation_error;
  const never = (task, n, noise) => {
    const target = { power: given.power[task], rest: given.rest[task] };
    return endless({ eigenvalues, ...target, rows, n, noise }).generalisation_error;
  };
  const degrees = (h) => h.reduce((sum, each) => sum + (1 - each), 0);

  const course = kept((n, noise) => errors(n, noise, TIMES));
  const stopped = kept((noise, s) => {
    const sizes = SIZES.map((size) => errors(size, noise, [s]));
    return names.map((_, task) => sizes.map((each) => each[task][0]));
  });
  const ended = kept((noise) => names.map((_, task) => MANY.map((each) => never(task, each, noise))));

  function compute({ n, noise, s }) {
    const { h } = ridge({ eigenvalues, rows, n, z: 1 / s });
    return { course: course(n, noise), learning: stopped(noise, s), ends: ended(noise), h };
  }

  function overTime({ n, s }, it) {
    const least = it.course.map((each) => format(Math.min(...each), ".3g"));
    const y = axis("error on new rows [output^2]", { scale: "log", low: 0.2, high: 10 });
    const lines = names.map((name, task) => line(TIMES, it.course[task], LOOKS[task], name));
    return chart(axis("training time s [1/variance]", { scale: "log" }), y, [...lines, now(s)], {
      alt: `The error on new rows over training time is at least ${least[0]} and ${least[1]}.`,
      caption: `Error over training time with n = ${n} rows. The thin line marks s.`,
    });
  }

  function overRows({ n, s }, { learning, ends }) {
    const y = axis("error on new rows [output^2]", { scale: "log", high: 30 });
    const marks = [
      ...names.map((name, task) => line(SIZES, learning[task], LOOKS[task], `${name}, stopped at s`)),
      ...names.map((name, task) => line(MANY, ends[task], LOOKS[task + 2], `${name}, not stopped`)),
      now(n),
    ];
    const peak = eigenvalues.length;
    return chart(axis("training rows n [1]", { scale: "log" }), y, marks, {
      alt: `Without stopping, the error has a peak at n = ${peak}; with early stopping it has none.`,
      caption: `Error over the number of rows at s = ${format(s)}. The thin line marks n.`,
    });
  }

  function curves() {
    const k = axis("mode k [1]");
    const strong = axis("eigenvalue λ_k [variance]", { scale: "log" });
    const left = axis("target not expressed by modes 1 to k [output^2]", { low: 0, high: 1 });
    const rest = given.power.map((power) => {
      let sum = 0;
      return power.map((each) => 1 - (sum += each));
    });
    const [first, last] = [eigenvalues[0], eigenvalues.at(-1)].map((each) => format(each, ".2g"));
    const missed = given.rest.map((each) => format(each, ".2f"));
    return picture(
      [
        panel(k, strong, [line(MODES, eigenvalues, LOOKS[4], "eigenvalues")], { height: 110 }),
        panel(k, left, rest.map((each, j) => line(MODES, each, LOOKS[j], names[j])), { height: 130 }),
      ],
      {
        alt:
          `Eigenvalues fall from ${first} to ${last}. Linear functions do not express shares of ` +
          `${missed[0]} and ${missed[1]}.`,
        caption: "The theory uses only the eigenvalues and these curves of the targets.",
      },
    );
  }

  function learned({ n }, { h }) {
    const dof = format(degrees(h), ".3g");
    const y = axis("share learned, 1 − h_k [1]", { low: 0, high: 1 });
    const share = line(MODES, h.map((each) => 1 - each), LOOKS[2], "share learned with the ridge 1/s");
    return chart(axis("mode k [1]"), y, [share], {
      height: 130,
      alt: `The share learned falls with k; the shares sum to ${dof} degrees of freedom.`,
      caption: `The shares sum to ${dof} degrees of freedom, with n = ${n} rows.`,
    });
  }

  function words({ n, noise, s }, it) {
    const [odd, zero] = it.course.map((each, task) => {
      const best = Math.min(...each);
      const end = never(task, n, noise);
      const ends = end === Infinity ? "it diverges" : `it goes to ${format(end, ".3g")}`;
      return { least: format(best, ".3g"), when: format(TIMES[each.indexOf(best)], ".2g"), ends };
    });
    return [
      `<p>At <i>n</i> = ${n} the error for the target <em>odd or even</em> has its minimum ${odd.least} near ` +
        `<i>s</i> = ${odd.when}. Without stopping ${odd.ends}. The error for <em>zero or not</em> has its ` +
        `minimum ${zero.least} near <i>s</i> = ${zero.when}. Without stopping ${zero.ends}. ` +
        `The spread of the rows is ` +
        `${format(spread(n, s), ".2g")} at <i>s</i> = ${format(s)}, and ${format(spread(n, 1e4), ".2g")} ` +
        `at <i>s</i> = 10<sup>4</sup>.</p>`,
    ];
  }

  const pictures = (at, it) => [overTime(at, it), overRows(at, it), curves(), learned(at, it)];

  TS.page({ compute, pictures, words });
})();
