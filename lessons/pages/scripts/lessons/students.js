// Lesson 11: when a teacher has exactly one student.
// needs: page/page.js theory/flexible_activations.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, panel, picture } = TS;
  const ENDLESS = 10000;

  const free = (counts, of) => TS.theory.flexible_activations.rank({ ...of, times: counts });
  const upto = (count) => Array.from({ length: count }, (_, i) => i + 1);

  // Parameters less the scales, P - 2 r.
  const toFind = ({ inputs, outputs, units, degree, lowest }) =>
    units * (inputs + outputs + degree - lowest - 1);

  // The least number of examples that leave no more free than all do.
  function enough(of) {
    const left = free(upto(toFind(of) + 1), of).ambiguity;
    return left.indexOf(left.at(-1)) + 1;
  }

  function compute({ linear, inputs, outputs, units, degree }) {
    const of = { inputs, outputs, units, degree, lowest: linear === "with" ? 1 : 2 };
    const [all, counts] = [free([ENDLESS], of), upto(enough(of) + 3)];
    const left = free(counts, of);
    const kinds = [2, 3, 4].map((q) => upto(5).map((r) => free([ENDLESS], { ...of, units: r, degree: q })));
    return {
      of, counts, kinds, enough: enough(of), left: left.ambiguity, turning: left.direction_ambiguity,
      forever: all.ambiguity[0], turned: all.direction_ambiguity[0],
    };
  }

  function pictures(at, { counts, left, turning, enough: last }) {
    const x = axis("examples N [1]", { low: 0, high: counts.at(-1) + 0.5 });
    const told =
      `With ${last} examples ${left.at(-1)} parameters are free; ${turning.at(-1)} change a direction.`;
    return [
      chart(x, axis("free parameters a [1]", { low: -0.5 }), [
        line(counts, turning, LOOKS[1], "those that change directions", { width: 5 }),
        line(counts, left, LOOKS[0], "all, without scales"),
        now(last),
      ], { alt: told, caption: told }),
      picture(
        [panel(x, axis("error of the student [1]", { scale: "log", low: 1e-17, high: 100 }), [now(last)])],
        { alt: "Errors of trained students over the number of examples." },
      ),
    ];
  }

  // What a pencil proves of such a network.
  function pencil({ inputs, outputs, units }, forever) {
    const narrow = Math.min(inputs, outputs);
    if (units <= narrow) return "A pencil recovers these units, so there is exactly one student.";
    const proof = forever ? "" : ". Nothing here excludes another student far away";
    return `A pencil cannot recover these units, because it needs r to be at most ${narrow}${proof}.`;
  }

  function words({ linear, inputs, outputs }, { of, kinds, forever, turned, enough: last }) {
    const verdict = turned
      ? `<strong>No</strong>: ${forever} parameters stay free, and ${turned} of them change directions.`
      : forever
        ? `<strong>Not quite</strong>: the directions are determined, but ${forever} of the coefficients ` +
          "stay free."
        : `<strong>Yes</strong>, in the neighbourhood: with ${last} examples or more no parameter is free.`;
    const said = ({ ambiguity: [a], direction_ambiguity: [b] }) => (a === b ? `${a}` : `${a} (${b})`);
    const rows = kinds.map((each, i) =>
      `<tr><th scope="row">highest power ${i + 2}</th><td>${each.map(said).join(", ")}</td></tr>`);
    return [
      "<p><em>No simulation is shown at these settings. Choose one of the stored settings.</em></p>",
      `<p><strong>One student at these settings?</strong> ${verdict} ${toFind(of)} of the ` +
        `${toFind(of) + 2 * of.units} parameters must be found, and each example gives at most ` +
        `${of.outputs} equations. ${pencil(of, forever)}</p>`,
      `<table class="values"><caption>Free parameters of 1, 2, 3, 4, 5 units with ${inputs} inputs and ` +
        `${outputs} outputs, ${linear} a linear term</caption>${rows.join("")}</table>` +
        "<p>0: exactly one student nearby. In brackets, if different: the parameters that change " +
        "directions.</p>",
    ];
  }

  TS.page({ compute, pictures, words });
})();
