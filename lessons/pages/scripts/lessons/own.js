// Lesson 21: a first hour with your own table.
// needs: page/page.js theory/measured_spectrum.js theory/row_spread.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format, given, spaced, kept } = TS;
  const { flow, endless } = TS.theory.measured_spectrum;

  const TIMES = spaced(0.01, 1e4, 49);
  const SIZES = [12, 15, 20, 27, 37, 52, 70, 100, 150, 220, 300, 400];
  const MANY = spaced(12, 400, 121);
  const ERROR = axis("error on new rows [output^2]", { low: 0, high: 2 });

  const errors = (table, n, times) => {
    const { eigenvalues, power, rest, rows } = given[table];
    return flow({ eigenvalues, powers: power, rests: rest, rows, n, noise: 0, times }).generalisation_error[0];
  };
  const ended = (table, n) => {
    const { eigenvalues, power, rest, rows } = given[table];
    return endless({ eigenvalues, power: power[0], rest: rest[0], rows, n, noise: 0 }).generalisation_error;
  };

  const course = kept((table, n) => errors(table, n, TIMES));
  const learning = kept((table, s) => SIZES.map((size) => errors(table, size, [s])[0]));
  const ends = kept((table) => MANY.map((each) => ended(table, each)));

  function compute({ table, n, s }) {
    return { course: course(table, n), learning: learning(table, s), ends: ends(table) };
  }

  function pictures({ table, n, s }, it) {
    const columns = given[table].eigenvalues.length;
    const least = format(Math.min(...it.course), ".3g");
    return [
      chart(axis("training time s [1/variance]", { scale: "log" }), ERROR, [
        line(TIMES, it.course, LOOKS[0], "theory"), now(s),
      ], {
        alt: `The error on new rows over training time is at least ${least}.`,
        caption: `Error over training time with n = ${n} rows. The thin line marks s.`,
      }),
      chart(axis("training rows n [1]", { scale: "log" }), ERROR, [
        line(SIZES, it.learning, LOOKS[0], "stopped at s"), line(MANY, it.ends, LOOKS[1], "not stopped"), now(n),
      ], {
        alt: `Without stopping, the error has a peak at n = ${columns}, the number of columns.`,
        caption: `Error over the number of rows for ${columns} columns. The thin line marks n.`,
      }),
    ];
  }

  function words({ table, n, s }, it) {
    const { eigenvalues, rest, rows } = given[table];
    const least = Math.min(...it.course);
    const when = format(TIMES[it.course.indexOf(least)], ".2g");
    const [end, twice] = [n, 2 * n].map((each) => (each < rows ? format(ended(table, each), ".3g") : ""));
    const more = twice && ` With twice as many rows it ends at ${twice}.`;
    return [
      `<p>At <i>n</i> = ${n} rows and ${eigenvalues.length} columns the error has its minimum ` +
        `${format(least, ".3g")} near <i>s</i> = ${when}, and without stopping it ends at ${end}.${more} The ` +
        `columns do not express ${format(rest[0], ".3g")} of the target. The spread of the rows is ` +
        `${format(TS.theory.rowSpread(given[table], n, s), ".2g")} at <i>s</i> = ${format(s)}.</p>`,
    ];
  }

  TS.page({ compute, pictures, words });
})();
