// Lesson 9: why learning waits on a plateau.
// needs: page/page.js theory/committee.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, panel, picture, format, even } = TS;

  const LATE = 1e4;
  const GONE = 1e-6; // an excess risk of which no digit is certain
  const SMALL = { dashed: true };
  const FINE = even(0.05, 2.25, 45);

  // Excess risk and rate of escape of the plateau of K units for small learning rates.
  function slowly(K, eta) {
    return {
      risk: (K / Math.PI) * (Math.PI / 6 - K * Math.asin(1 / (2 * K))),
      rate: (((2 * eta) / Math.PI) * K) / Math.sqrt((2 * K - 1) * (2 * K + 1) ** 3),
    };
  }

  function compute({ layer, units, eta, overlap, noise }) {
    const { risk, rate } = slowly(units, eta);
    const end = Math.round((1.6 * (6 - Math.log(Math.max(overlap, 0.01)))) / rate);
    const times = even(0, 1, 121).map((u) => end * u * u); // closer together at first
    const path = TS.theory.committee.path({
      width: units,
      learning_rate: eta,
      overlap,
      noise,
      second_layer_learning_rate: layer === "trained" ? 0.5 : 0,
      times: [...times, LATE],
    });
    return { times, end, path, still: risk, early: rate };
  }

  const told = (risk) => (risk >= GONE ? format(risk, ".2g") : "below 1e-6");

  function paths({ times, end, path, still }) {
    const [last, late] = [path.excess_risk[times.length - 1], path.excess_risk[times.length]];
    const said = `At t = ${end} the excess risk is ${told(last)}`;
    const time = axis("time t [examples per input]");
    const seen = (values) => Array.from(values).slice(0, times.length);
    const risk = panel(time, axis("excess risk E [output²]", { scale: "log", low: 1e-4, high: 1 }), [
      line(times, seen(path.excess_risk).map((each) => Math.max(each, GONE)), LOOKS[0], "limit d → ∞"),
      line([0, end], [still, still], LOOKS[1], "plateau, formula for small η", SMALL),
    ]);
    const names = ["R, same unit", "R, other unit", "Q, same unit", "Q, two units", "v"];
    const order = [path.R, path.S, path.Q, path.C, path.v].map((values, i) => {
      return line(times, seen(values), LOOKS[i], names[i]);
    });
    // The zero added leaves no negative one.
    const two = (values) => format(Math.round(100 * values[times.length - 1]) / 100 + 0, ".2f");
    return [
      picture([risk], { alt: said, caption: `${said}. At t = 10,000 it is ${told(late)}.` }),
      chart(time, axis("overlaps and second layer [1]"), order, {
        alt: `Mean overlaps. At t = ${end} R is ${two(path.R)} and ${two(path.S)}.`,
      }),
    ];
  }

  // The difference of two units as it grows at first; the limit itself appears with the simulations.
  function growth({ eta }) {
    const { rate } = slowly(2, eta);
    const times = [0, 4.5 / rate];
    const grown = times.map((t) => 0.01 * Math.exp(rate * t));
    const said = `The formula for small η gives l = ${format(rate, ".3g")}.`;
    const [x, y] = [
      axis("time after X = 0.01 [examples per input]"),
      axis("difference X [1]", { scale: "log", low: 0.01 }),
    ];
    return chart(x, y, [line(times, grown, LOOKS[1], "formula for small η", SMALL)], {
      alt: said,
      caption: said,
    });
  }

  function haste() {
    const x = axis("learning rate η [1/output²]", { high: 2.3 });
    const small = (values) => [line(FINE, values, LOOKS[1], "formula for small η", SMALL)];
    const said = "For small η the rate is proportional to η.";
    const rates = small(FINE.map((eta) => slowly(2, eta).rate));
    const floors = small(FINE.map((eta) => eta / (Math.sqrt(3) * Math.PI)));
    return [
      chart(x, axis("rate of escape l [1/time]", { low: 0 }), rates, { alt: said, caption: said }),
      chart(x, axis("final excess risk over σ² [1]", { scale: "log" }), floors, {
        alt: "Final excess risk over η.",
        caption: "Label noise σ = 0.1.",
      }),
    ];
  }

  TS.page({ compute, pictures: (at, it) => [...paths(it), growth(at), ...haste()] });
})();
