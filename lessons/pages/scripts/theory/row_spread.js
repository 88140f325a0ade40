// By how much the rows of a table differ in their effect on a linear student.
// needs: theory/measured_spectrum.js
"use strict";
(() => {
  // A straight line through neighbours of the table of leverages, level beyond its ends.
  function between(at, places, values) {
    const last = places.length - 1;
    if (at <= places[0]) return values[0];
    if (at >= places[last]) return values[last];
    const i = places.findIndex((each) => each >= at);
    return values[i - 1] + ((values[i] - values[i - 1]) * (at - places[i - 1])) / (places[i] - places[i - 1]);
  }

  // The standard deviation of chi over 1 + its mean, for n rows at z = 1/s. odds and odds_scatter: mean and
  // standard deviation over the rows of leverage/(1 - leverage), at each of log_q.
  TS.theory.rowSpread = ({ eigenvalues, rows, log_q, odds, odds_scatter }, n, s) => {
    const { q, h } = TS.theory.measured_spectrum.ridge({ eigenvalues, rows, n, z: 1 / s });
    const share = h.reduce((sum, each) => sum + (1 - each), 0) / rows;
    const by = (1 - share) / (n / rows - share); // P/(q z)
    const [mean, scatter] = [odds, odds_scatter].map((each) => between(Math.log(q), log_q, each));
    return (by * scatter) / (1 + by * mean);
  };
})();
