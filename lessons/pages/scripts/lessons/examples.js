// Lesson 10: how much a perceptron learns from a given number of examples.
// needs: page/page.js theory/perceptron.js
"use strict";
(() => {
  const { LOOKS, axis, chart, line, now, format, even, spaced, kept } = TS;
  const { examples, separable, cover, branch } = TS.theory.perceptron;

  const sorted = (values) => values.sort((a, b) => a - b);

  const RULES = ["hebb", "pseudo-inverse", "gibbs", "max-stability", "bayes"];
  const LOSSES = ["square", "logistic", "hinge"];
  const LOOK_OF = Object.fromEntries([...RULES, ...LOSSES].map((name, i) => [name, LOOKS[i % LOOKS.length]]));
  const [ALPHA, WRONG] = ["examples per input α [1]", "error E_g on new labels [1]"];

  const NEXT = [1e-4, 1e-3, 3e-3, 0.01, 0.03];
  const FEW = sorted([
    ...even(0.05, 0.95, 16),
    ...NEXT.map((each) => 1 - each),
    ...NEXT.map((each) => 1 + each),
    ...even(1.08, 5, 20),
  ]);
  const MANY = spaced(1.3, 1000, 30);
  const [FAR, LAW] = [1e6, spaced(3, 1000, 9)];
  const LOADS = { square: spaced(0.2, 30, 61), logistic: spaced(0.2, 30, 33), hinge: spaced(0.2, 30, 33) };
  const STORED = [...spaced(0.2, 1.9, 12), 1.999];
  const COUNTED = even(0.4, 3, 53);
  const CONJUGATES = spaced(1e-3, 4, 2000);

  const error = (rule, times) => examples({ rule, times }).generalisation_error;
  const byRule = (times) => Object.fromEntries(RULES.map((rule) => [rule, error(rule, times)]));

  const few = kept(() => byRule(FEW));
  const many = kept(() => byRule(MANY));

  // c and p of E_g = c alpha^-p.
  const laws = kept(() =>
    Object.fromEntries(RULES.map((rule) => {
      const p = rule === "hebb" || rule === "pseudo-inverse" ? 0.5 : 1;
      return [rule, [error(rule, [FAR])[0] * FAR ** p, p]];
    })));

  const here = kept((alpha) => Object.fromEntries(RULES.map((rule) => [rule, error(rule, [alpha])[0]])));

  const byLoss = kept((ridge, noise) =>
    Object.fromEntries(LOSSES.map((rule) => [rule, examples({ rule, ridge, noise, times: LOADS[rule] })])));

  const margins = kept(() => {
    const of = (times, labels) => examples({ rule: "max-stability", labels, times }).margin;
    return { coins: of(STORED, "random"), taught: of([...STORED, 2.4, 3], "teacher") };
  });

  // Cover's count of coins in d dimensions: alphas and shares, and from where to where it falls.
  const share = (d) => {
    const n = [...new Set(COUNTED.map((alpha) => nearest(d * alpha)))];
    const all = cover({ n: Array.from({ length: 6 * d - 1 }, (_, i) => i + 1), d }).share;
    return {
      alpha: n.map((each) => each / d),
      share: n.map((each) => all[each - 1]),
      width: all.filter((each) => each > 0.1 && each < 0.9).length / d,
      beyond: all[Math.floor((5 * d) / 2) - 1],
    };
  };
  const [counted, large] = [kept(share), kept(() => share(100))];

  // The whole number nearest to a positive one, the even one of two: Python's `round`.
  function nearest(value) {
    const floor = Math.floor(value);
    const rest = value - floor;
    return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  }

  // y at `at` on straight lines through points with increasing x.
  function interpolated(at, x, y) {
    const right = x.findIndex((each) => each >= at);
    if (right <= 0) return right === 0 ? y[0] : y.at(-1);
    return y[right - 1] + ((y[right] - y[right - 1]) * (at - x[right - 1])) / (x[right] - x[right - 1]);
  }

  // Weights -1 and 1 along the branch of few examples, to where alpha is largest, and where the count falls
  // to 1.
  const lowBranch = kept(() => {
    const { alpha, q, count } = branch(CONJUGATES);
    const until = alpha.indexOf(Math.max(...alpha)) + 1;
    const [loads, overlaps, logarithms] = [alpha, q, count].map((each) => each.slice(0, until));
    const alone = interpolated(0, logarithms.map((each) => -each), loads);
    return { loads, overlaps, logarithms, alone };
  });

  function compute({ alpha, ridge, noise, d }) {
    return {
      few: few(),
      many: many(),
      laws: laws(),
      here: here(alpha),
      losses: byLoss(ridge, noise),
      margins: margins(),
      counted: counted(d),
      known: lowBranch(),
    };
  }

  function rulePictures({ alpha, rule }, { few: some, many: all, laws: powers }) {
    const lines = (answers, times) => RULES.map((name) => line(times, answers[name], LOOK_OF[name], name));
    const last = RULES.map((name) => `${name} ${format(all[name].at(-1), ".2g")}`).join(", ");
    const inputs = rule === "gibbs" || rule === "bayes" ? 20 : 60;
    const approached = RULES.map((name) => {
      const [c, p] = powers[name];
      const law = LAW.map((each) => c * each ** -p);
      return line(LAW, law, LOOK_OF[name], "power law for many examples", { dashed: true });
    });
    return [
      chart(axis(ALPHA, { high: 5 }), axis(WRONG, { low: 0, high: 0.52 }), lines(some, FEW), {
        alt: `Errors over few examples; at α = 5 the error of bayes is ${format(some.bayes.at(-1), ".3f")}.`,
        caption: `Few examples. Simulated students have ${inputs} inputs.`,
      }),
      chart(axis(ALPHA, { scale: "log", low: 1, high: 1500 }), axis(WRONG, { scale: "log" }), [
        ...lines(all, MANY), ...approached, now(alpha),
      ], {
        alt: `Errors over many examples; at α = 1000: ${last}.`,
        caption: "Many examples. The errors approach the power laws.",
      }),
    ];
  }

  function lossPictures({ noise }, { losses }) {
    const end = noise ? separable({ noise }).alpha[0] : null;
    const upTo = end ? `up to α = ${format(end, ".4g")}, the thin line` : "at every α: the teacher does";
    const drawn = (name, label) => {
      const lines = LOSSES.map((each) => line(LOADS[each], losses[each][name], LOOK_OF[each], each));
      const marks = [...lines, ...(end ? [now(end)] : [])];
      const last = LOSSES.map((each) => `${each} ${format(losses[each][name].at(-1), ".3f")}`).join(", ");
      return chart(axis(ALPHA, { scale: "log", high: 35 }), axis(label, { low: 0 }), marks, {
        alt: `${label}, at α = 30: ${last}.`,
        caption: `Some student gets all examples right ${upTo}.`,
      });
    };
    return [drawn("generalisation_error", WRONG), drawn("training_error", "error E_t on training labels [1]")];
  }

  function storagePictures({ d }, { counted: mine, margins: { coins, taught } }) {
    const x = axis(ALPHA, { low: 0, high: 3 });
    return [
      chart(x, axis("share P [1]", { low: -0.05, high: 1.05 }), [
        line(large().alpha, large().share, LOOKS[1], "Cover, d = 100"),
        line(mine.alpha, mine.share, LOOKS[0], `Cover, d = ${d}`),
      ], {
        alt: `Random labels: at α = 2.5 a share of ${format(mine.beyond, ".2g")} is separable.`,
        caption:
          `P is the probability that n − 1 coins show fewer than d = ${d} heads. P falls from 0.9 to 0.1 ` +
          `over a width of ${format(mine.width, ".2f")} in α, which is ` +
          `${format(mine.width * d ** 0.5, ".1f")}/√d.`,
      }),
      chart(x, axis("largest margin κ [1]", { low: 0 }), [
        line(STORED, coins, LOOKS[0], "random labels"),
        line([...STORED, 2.4, 3], taught, LOOKS[1], "teacher"),
      ], {
        alt:
          "Largest margins; at α = 1 the margin of random labels is " +
          `${format(interpolated(1, STORED, coins), ".2f")}.`,
        caption: "Few examples have large margins. With random labels the margin falls to 0 at α = 2.",
      }),
    ];
  }

  function binaryPictures(at, { known: { loads, overlaps, logarithms, alone } }) {
    const some = loads.map((_, i) => i).filter((i) => i % 16 === (loads.length - 1) % 16);
    const [low, high] = [some.filter((i) => loads[i] <= alone), some.filter((i) => loads[i] > alone)];
    const drawn = (y, values, end, told) => {
      const there = interpolated(alone, loads, values);
      const pick = (places, of) => places.map((i) => of[i]);
      const said = told(format(there, ".3f"));
      const marks = [
        line([...pick(low, loads), alone, alone, 2.2], [...pick(low, values), there, end, end], LOOKS[0],
          "equilibrium, in the limit"),
        line(pick(high, loads), pick(high, values), LOOKS[1], "metastable, up to spinodal", {
          dashed: true,
        }),
      ];
      return chart(axis(ALPHA, { low: 0, high: 2.2 }), y, marks, { alt: said, caption: said });
    };
    return [
      drawn(
        axis(WRONG, { low: -0.02, high: 0.52 }),
        overlaps.map((q) => Math.acos(q) / Math.PI),
        0,
        (at) => `The error of a random member jumps from ${at} to 0 at α = ${format(alone, ".4f")}.`,
      ),
      drawn(
        axis("entropy per weight s − ln 2 [1]"),
        logarithms.map((each) => each - Math.LN2),
        -Math.LN2,
        (at) => `The entropy per weight, s − ln 2, falls to ${at} before the jump.`,
      ),
    ];
  }

  function pictures(at, it) {
    return [rulePictures, lossPictures, storagePictures, binaryPictures].flatMap((drawn) => drawn(at, it));
  }

  function words({ alpha }, { here: errors }) {
    const listed = RULES.map((rule) => `${rule} ${format(errors[rule], ".4f")}`).join(", ");
    return [
      `<p><strong>At α = ${format(alpha)}</strong> the errors are: ${listed}. A random member of the ` +
        `version space makes ${format(errors.gibbs / errors.bayes, ".2f")} times as many errors as the ` +
        `majority vote, and the member with the largest margin ` +
        `${format(errors["max-stability"] / errors.bayes, ".3f")} times as many.</p>`,
    ];
  }

  TS.page({ compute, pictures, words });
})();
