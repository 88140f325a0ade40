// Lesson 6: how weight decay sets the effective learning rate.
// needs: page/page.js theory/scale_invariant.js
"use strict";
(() => {
  const { LOOKS, axis, line, now, panel, picture, format, spaced } = TS;
  const { online, equilibrium } = TS.theory.scale_invariant;

  const TIMES = spaced(0.05, 300, 41);
  const PRODUCTS = spaced(0.002, 1.6 * 0.8, 5); // as far as the sliders go
  const RATES = [0.1, 0.4, 1.6];
  const WIDTHS = [8, 5, 2];

  const asked = (scheme, eta, decay, length = 1) => {
    return { scheme, noise: 0.5, d: 400, learning_rate: eta, ridge: decay, radius0: length };
  };

  function compute({ scheme, eta, decay, length }) {
    const question = asked(scheme, eta, decay, length);
    return {
      path: online({ ...question, times: TIMES }),
      rest: equilibrium(question),
      fourfold: equilibrium(asked(scheme, eta, 4 * decay)),
      families: RATES.map((rate) => {
        return PRODUCTS.map((product) => equilibrium(asked(scheme, rate, product / rate)).angle);
      }),
    };
  }

  // One observable over time with the level at which it comes to rest; approximations are dashed.
  function overTime({ scheme }, { path, rest }, name, y) {
    const dashed = scheme.startsWith("adam");
    const level = [rest[name], rest[name]];
    return panel(axis("time t [steps/d]", { scale: "log" }), y, [
      line([TIMES[0], TIMES.at(-1)], level, LOOKS[2], "equilibrium", { width: 1 }),
      line(TIMES, path[name], LOOKS[0], dashed ? "theory, approximate" : "theory", { dashed }),
    ]);
  }

  function together({ scheme, eta, decay }, { rest, families }) {
    const lines = families.map((angles, i) => {
      const look = { dashed: scheme.startsWith("adam"), width: WIDTHS[i] };
      return line(PRODUCTS, angles, LOOKS[i + 1], `η = ${format(RATES[i])}`, look);
    });
    const angle = axis("equilibrium angle θ [rad]", { scale: "log" });
    return panel(axis("product ηλ [1]", { scale: "log" }), angle, [
      ...lines,
      now(eta * decay, rest.angle, LOOKS[0]),
    ]);
  }

  function pictures(at, it) {
    const { radius, effective_learning_rate: rate, angle } = it.rest;
    const ends = it.families.map((angles) => angles.at(-1));
    const one = Math.max(...ends) / Math.min(...ends) - 1 < 1e-3;
    const shape = one ? "lie on one curve: only the product matters" : "give different curves";
    const steps = axis("effective learning rate η^e [1/loss]", { low: 0 });
    return [
      picture([overTime(at, it, "radius", axis("radius r [weight]", { low: 0 }))], {
        alt: `The radius over time; its equilibrium value is ${format(radius, ".3g")}.`,
      }),
      picture([overTime(at, it, "effective_learning_rate", steps)], {
        alt: `The effective learning rate over time; its equilibrium value is ${format(rate, ".3g")}.`,
        caption: "Rate of one step, times d. With momentum each gradient acts for about ten steps.",
      }),
      picture([overTime(at, it, "angle", axis("angle to the teacher θ [rad]", { low: 0 }))], {
        alt: `The angle to the teacher over time; its equilibrium value is ${format(angle, ".3g")}.`,
      }),
      picture([together(at, it)], {
        alt: `The equilibrium angle over the product ηλ; here ${format(angle, ".3g")}.`,
        caption: `Three learning rates, from 0.1 to 1.6, ${shape}.`,
      }),
    ];
  }

  function words({ scheme }, { rest, fourfold }) {
    const who =
      scheme === "adam"
        ? "Adam divides gradients by their size, so <i>r</i><sup>3</sup> ∝ <i>η</i>/<i>λ</i> here, not " +
          "<i>r</i><sup>4</sup>. The angle of a step is proportional to " +
          "(<i>η</i><sup>2</sup><i>λ</i>)<sup>1/3</sup>, and no longer a function of the product."
        : "The angle depends on the product <i>ηλ</i> only.";
    const three = (value) => format(value, ".3g");
    return [
      `<p>At these settings the equilibrium has a radius of ${three(rest.radius)} and an angle of ` +
        `${three(rest.angle)} rad. With four times the decay the radius is ${three(fourfold.radius)} and ` +
        `the angle ${three(fourfold.angle)} rad. ${who}</p>`,
    ];
  }

  TS.page({ compute, pictures, words });
})();
