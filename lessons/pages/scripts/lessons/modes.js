// Lesson 1: modes of a linear network, learned one after another.
// needs: page/page.js theory/linear_network.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, format } = TS;
  const TIMES = Array.from({ length: 201 }, (_, i) => i / 20);
  const STRENGTHS = Array.from({ length: 100 }, (_, i) => 0.75 * 8 ** (i / 99));

  const strengths = ({ s1, s2, s3 }) => [s1, s2, s3];
  const listed = (values, spec) => Array.from(values, (each) => format(each, spec)).join(", ");

  function compute(at) {
    return TS.theory.linear_network.effective({
      growing: TS.given.growing, init: at.sigma0, singular_values: strengths(at), times: TIMES,
    });
  }

  function pictures(at, { u, half }) {
    const s = strengths(at);
    const times = listed(half, ".2f");
    const modes = s.map((each, k) =>
      line(TIMES, u.map((row) => row[k]), LOOKS[k], `mode ${k + 1}: s = ${format(each)}`));
    const start = (TS.given.hidden * at.sigma0 ** 2) / 2;
    const law = STRENGTHS.map((each) => Math.log(each / start - 1) / (2 * each)); // 2.2.21, corrected
    return [
      chart(axis("flow time t/τ = η k [1/output]"), axis("mode strength u_i [output]"), modes, {
        alt: `Three sigmoids over flow time. Half of each mode is learned at ${times}.`,
      }),
      chart(
        axis("singular value s of the mode [output]", { scale: "log" }),
        axis("time until half is learned [1/output]", { low: 0 }),
        [
          line(s, half, LOOKS[0], "theory at the three modes"),
          line(STRENGTHS, law, LOOKS[4], "Eq. 2.2.21, corrected", { dashed: true }),
        ],
        {
          alt: `The time until half is learned falls with the singular value: ${times}.`,
          caption:
            `Dashed: the formula if every mode starts at u(0) = ${format(start, ".2g")}. This is half the ` +
            `number of hidden units (${TS.given.hidden}) times the variance of a weight.`,
        },
      ),
    ];
  }

  function words(at, { half }) {
    const s = strengths(at);
    return [
      `<p>At these settings the modes of strength <i>s</i> = ${listed(s)} are half learned at <i>t</i> = ` +
        `${listed(half, ".2f")}. The weakest mode needs ${format(half[2] / half[0], ".1f")} times as long ` +
        `as the strongest mode, which is ${format(s[0] / s[2], ".1f")} times as strong.</p>`,
    ];
  }

  TS.page({ compute, pictures, words });
})();
