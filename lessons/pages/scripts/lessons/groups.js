// Lesson 17: why minority groups are misclassified, and what balancing changes.
// needs: page/page.js numerics/special.js theory/spurious_groups.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, panel, picture, format } = TS;
  const { normalPdf } = TS.numerics.special;
  const { begin, end } = TS.theory.spurious_groups;
  const FEW = [2, 3, 4, 6, 10, 16, 24, 40, 60, 100].map((each) => each / 200);
  const MARGINS = Array.from({ length: 201 }, (_, i) => -2 + i / 40);
  const ACCURACY = axis("accuracy on the minority A [1]", { low: 0, high: 1 });
  const STEPS = axis("step of normalised descent k [1]", { scale: "log", low: 1, high: 4000 });
  const SIGMA = 0.15;
  const WAYS = [
    ["rwg", "RWG", LOOKS[2], 5],
    ["erm", "ERM", LOOKS[0], 2],
    ["subg", "SUBG", LOOKS[1], 2],
  ];

  function compute({ share, spurious, noise, ratio }) {
    const scales = { ratio, gamma_spurious: spurious, gamma_noise: noise };
    const all = (where) =>
      Object.fromEntries(WAYS.map(([method]) => [method, where({ method, minority: share, ...scales })]));
    return { begins: all(begin), ends: all(end), ...overShare(scales) };
  }

  let last = { key: "" };

  // Accuracies over the share of the minority, which the slider of the share does not move.
  function overShare(scales) {
    const key = JSON.stringify(scales);
    const over = (where, method) => FEW.map((minority) => where({ method, minority, ...scales }).minority);
    if (last.key !== key) {
      last = { key, plain: over(end, "erm"), cut: over(end, "subg"), start: over(begin, "rwg") };
    }
    return last;
  }

  // Densities of the margins without memorising, in units of the margin that training reaches.
  function margins({ weights: [e_s, e_c, r], margin }, p, title) {
    const spread = Math.sqrt(SIGMA ** 2 * (e_s ** 2 + e_c ** 2) + r ** 2);
    const density = (mean) => (m) => (normalPdf((margin * m - mean) / spread) * margin) / spread;
    const [many, few] = [density(e_c + e_s), density(e_c - e_s)];
    const marks = [
      line(MARGINS, MARGINS.map((m) => (1 - p) * many(m)), LOOKS[3], "majority"),
      line(MARGINS, MARGINS.map((m) => p * few(m)), LOOKS[1], "minority"),
      now(0),
      now(1),
    ];
    const x = axis("margin without memorising m/κ [1]", { low: -2, high: 3 });
    return panel(x, axis(`${title}: density times share [1]`, { low: 0 }), marks, { height: 130 });
  }

  // The last p at which one curve crosses another, between points on a logarithmic scale, or NaN.
  function crossing(p, one, other) {
    const gap = one.map((each, i) => each - other[i]);
    for (let i = p.length - 2; i >= 0; i--) {
      if (gap[i] * gap[i + 1] < 0) return p[i] * (p[i + 1] / p[i]) ** (gap[i] / (gap[i] - gap[i + 1]));
    }
    return NaN;
  }

  const digits = (value) => format(value, ".3f");

  function pictures({ share }, { begins, ends, plain, cut, start }) {
    const here = [ends.erm, ends.subg, begins.rwg].map((each) => each.minority);
    const told = here.map(digits);
    const levels = WAYS.flatMap(([method, name, look, width]) => [
      line([1, 3], [begins[method].minority, begins[method].minority], look, "", { width }),
      line([1300, 4000], [ends[method].minority, ends[method].minority], look, name, { width }),
    ]);
    const ways = WAYS.map(([method, name]) => {
      const [first, last] = [begins, ends].map((each) => digits(each[method].minority));
      return `${name} ${first} and ${last}`;
    });
    const lost = [ends.erm, ends.subg].map((each) => digits(1 - each.minority));
    return [
      chart(axis("share of the minority p [1]", { scale: "log" }), ACCURACY, [
        line(FEW, plain, LOOKS[0], "ERM and RWG, end of training"),
        line(FEW, cut, LOOKS[1], "SUBG, end of training"),
        line(FEW, start, LOOKS[2], "RWG, first step", { width: 1 }),
        now(share, here[0], LOOKS[0]),
        now(share, here[1], LOOKS[1], { line: false }),
        now(share, here[2], LOOKS[2], { line: false }),
      ], {
        alt:
          `Accuracy on the minority over its share; here ${told[0]} for ERM and RWG and ${told[1]} for ` +
          `SUBG at the end, and ${told[2]} after the first step of RWG.`,
      }),
      picture(
        [panel(STEPS, ACCURACY, levels)],
        {
          alt: `Accuracy at the first step and at the end, by theory: ${ways.join("; ")}.`,
          caption: "Lines: theory at the first step and at the end.",
        },
      ),
      picture([margins(ends.erm, share, "ERM, RWG"), margins(ends.subg, 0.5, "SUBG")], {
        alt:
          `Margins of both groups. A share of ${lost[0]} of the minority is below 0 with ERM, and ` +
          `${lost[1]} with SUBG.`,
        caption: "In tests a margin below 0 is a wrong answer. In training memorising raises margins below 1.",
      }),
    ];
  }

  function words({ share }, { begins, ends, plain, cut }) {
    const from = crossing(FEW, cut, plain);
    const said = Number.isNaN(from)
      ? "At these scales the curves of ERM and SUBG do not cross."
      : `Subsampling ends higher than ERM if p is below about ${format(from, ".2g")}.`;
    const [erm, subg, rwg] = [ends.erm, ends.subg, begins.rwg].map((each) => digits(each.minority));
    return [
      `<p>At these settings ERM and RWG end at an accuracy of ${erm} on the minority. RWG begins at ${rwg}. ` +
        `SUBG keeps ${format(2 * share, ".0%")} of the examples and ends at ${subg}. ${said}</p>`,
    ];
  }

  TS.page({ compute, pictures, words });
})();
