// Lesson 7: how to test a formula.
// needs: page/page.js theory/multiscale.js theory/printed.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, format } = TS;
  const QUESTION = { d: 1000, p: 500, kappa: 1, alpha: 1.5, noise: 0.5 };
  const CLAIMS = {
    theorem: "gs-theorem",
    decoupling: "gs-decoupled-margin",
    scales: "ms-split-of-equals",
    schedule: "sphere-schedule",
  };

  // Whole numbers of steps until about these times, each once.
  function stepsAt(eta) {
    const steps = Array.from({ length: 61 }, (_, i) => Math.round((0.2 * 100 ** (i / 60)) / eta));
    return [...new Set(steps)];
  }

  // The excess risk that a formula claims, over s = eta k.
  function claimed(formula, eta, steps) {
    const { multiscale, printed } = TS.theory;
    const flow = { ...QUESTION, dynamics: "flow", times: steps.map((k) => eta * k) };
    const descent = { ...QUESTION, dynamics: "descent", times: steps, learning_rate: eta };
    const asked = {
      limit: () => multiscale.curve(descent),
      flow: () => multiscale.curve(flow),
      noiseless: () => multiscale.curve({ ...descent, noise: 0 }),
      tenth: () => multiscale.curve({ ...descent, alpha: 1.65 }),
      printed: () => printed.curve(flow),
    };
    return asked[formula]().excess_risk;
  }

  function compute({ formula, eta }) {
    const steps = stepsAt(eta);
    return { times: steps.map((k) => eta * k), risk: claimed(formula, eta, steps) };
  }

  function pictures({ formula }, { times, risk }) {
    const [x, y] = [
      axis("training time s = ηk [1/curvature]", { scale: "log" }),
      axis("excess risk E [output^2]", { low: 0 }),
    ];
    const dashed = formula === "printed"; // an approximation
    return [
      chart(x, y, [line(times, risk, LOOKS[0], "formula", { dashed })], {
        alt: `The excess risk over time by the formula is at least ${format(Math.min(...risk), ".3g")}.`,
      }),
    ];
  }

  const first = (said) => `<p><em>${said}</em></p>`;
  // A table that is wider than the page scrolls by itself.
  const scrolling = (html) =>
    `<div role="region" aria-label="Negative controls" tabindex="0" style="overflow-x:auto">${html}</div>`;
  const met = (right) => `<strong>${right ? "Right" : "Not right"}.</strong>`;

  const KNOWN = `Heavy tails in every <em>entry</em> do not change the <em>limit</em>: the distribution of
    eigenvalues needs independent entries with finite variance, not Gaussian ones. But heavy-tailed entries
    make the bias of order 1/<i>d</i> several times larger, and also the largest eigenvalue. With many features
    the test does not detect this bias. With few features the test rejects the formula for heavy-tailed
    entries, but not yet for Gaussian entries. Gradient descent may also diverge at a learning rate that is
    stable for Gaussian entries. Heavy tails in whole <em>examples</em> change the limit itself, although the
    variance is the same. With few features the formula fails by its bias of order 1/<i>d</i>. The formula
    above contains <i>η</i>, so it is right for large steps. The formula with infinitely small steps fails for
    large steps, and above 2/<i>λ</i><sub>max</sub> gradient descent diverges.`;

  // What is known is said once the reader has said what she found, or what she expects.
  function words(at) {
    const { controls, checks } = TS.given;
    const passing = controls.passing.length ? controls.passing : ["none"];
    const expected = Object.entries(CLAIMS).filter(([name]) => at[name] !== "undecided");
    const outcomes = expected.map(([name, claim]) => {
      const right = checks[claim].right === (at[name] === "right");
      return (
        `<p><em>You expect that the claim is ${at[name]}. This is ${right ? "" : "not "}correct</em> ` +
        `(checked in advance).</p>${checks[claim].html}`
      );
    });
    return [
      at.finding === "undecided"
        ? first("First choose your finding on the inputs.")
        : `<p>${met(at.finding === "lengths")} ${KNOWN}</p>`,
      at.suspect === "undecided"
        ? first("First choose your finding on the formulas.")
        : `<p>${met(passing.includes(at.suspect))} Negative controls: the same draws compared with every ` +
          `formula, computed in advance at the first settings.</p>${scrolling(controls.html)}`,
      outcomes.join("") || first("First choose what you expect of at least one claim."),
    ];
  }

  TS.page({ compute, pictures, words });
})();
