// What a perceptron learns from alpha d examples, rule by rule, in the limit of many inputs of one strength.
// needs: theory/perceptron_losses.js theory/perceptron_binary.js numerics/roots.js numerics/quadrature.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { minimisers, stablest } = theory.perceptronLosses;
  const { spherical, binary, branch } = theory.versionSpace;
  const { brent } = TS.numerics.roots;
  const nodes = TS.numerics.quadrature.gaussLegendre(16);

  const CAPACITY = 2; // random labels that are stored, per weight
  const GONE = 9; // a normal number is not beyond

  // The law of labels: what they are the sign of correlates by `clean` with the teacher's field, coins by 0.
  function lawOf({ labels = "teacher", noise = 0 }) {
    if (labels === "random") return { clean: 0, unclear: 1 };
    const length = Math.hypot(1, noise);
    return { clean: 1 / length, unclear: noise / length };
  }

  // The share of examples below -x, x >= 0, of an output of variance 1 along the teacher's and across it: of
  // a number of density 2 phi(u) Phi(delta u), which is
  //
  //   (1/pi) int_0^a e^(-x^2/(2 sin^2 b)) db,   tan a = 1/delta.
  function wrong(x, { clean, unclear }, along, across) {
    const most = Math.atan2(Math.hypot(across, unclear * along), clean * along);
    let sum = 0, low = Math.min(Math.asin(Math.min(x / GONE, 1)), most);
    let high = x > 0 ? Math.min(2 * low, most) : most;
    while (low < most) {
      const half = (high - low) / 2;
      for (let j = 0; j < nodes.nodes.length; j++) {
        const y = x / Math.sin(low + half * (1 + nodes.nodes[j]));
        sum += half * nodes.weights[j] * Math.exp(-0.5 * y * y);
      }
      [low, high] = [high, Math.min(1.7 * high, most)];
    }
    return sum / Math.PI;
  }

  // w = sum y x.
  function hebb(law, alpha) {
    const along = alpha * law.clean * Math.sqrt(2 / Math.PI);
    const across = Math.sqrt(alpha);
    return { along, across, training_error: wrong(1 / Math.hypot(along, across), law, along, across) };
  }

  // Least squares on labels, whose part that is not linear in the teacher's field is noise. The response V
  // solves V (ridge + alpha/(1 + V)) = 1; without ridge it is infinite up to alpha = 1.
  function square(law, alpha, ridge) {
    const linear = law.clean * Math.sqrt(2 / Math.PI);
    const nonlinear = 1 - linear * linear;
    const over = ridge + alpha - 1;
    const root = Math.sqrt(over * over + 4 * ridge);
    const V = over > 0 ? 2 / (over + root) : ridge > 0 ? (root - over) / (2 * ridge) : Infinity;
    if (V === Infinity) {
      const along = alpha * linear, left = 1 - alpha;
      const across = Math.sqrt((alpha * (nonlinear + (linear * left) ** 2)) / left);
      const size = left ? { along, across } : { along: 0, across: Infinity };
      return { ...size, training_error: 0, training_loss: 0 };
    }
    const missed = ridge * V, learned = alpha / (1 + 1 / V); // shares of the linear part
    const along = linear * learned;
    const unexplained = nonlinear + (linear * missed) ** 2;
    const across = Math.sqrt((unexplained * learned * V) / (1 + missed * V));
    return {
      along,
      across,
      training_error: wrong(V / Math.hypot(along, across), law, along, across),
      training_loss: (unexplained + across * across) / (1 + V) ** 2 / 2,
    };
  }

  // A random member of a version space, whose members overlap by q, or its centre.
  function member({ q, rest, entropy }) {
    return { along: q, across: Math.sqrt(rest * (1 + q)), training_error: 0, entropy };
  }

  function centre({ q, rest }) {
    return { along: q, across: Math.sqrt(q * rest), training_error: 0 };
  }

  const NOBODY = { along: NaN, across: NaN, training_error: NaN, training_loss: NaN, margin: NaN };

  // Students at increasing alphas.
  function students(question, alphas) {
    const { rule, ridge = 0.1, noise = 0, labels = "teacher", weights = "spherical", metastable } = question;
    const law = lawOf(question);
    const asksTeacher = rule === "gibbs" || rule === "bayes";
    if (asksTeacher && (noise || labels === "random")) {
      throw new Error(`rule ${rule} asks a teacher without noise`);
    }
    if (weights === "binary" && !asksTeacher) throw new Error(`rule ${rule} has no binary weights`);
    switch (rule) {
      case "hebb":
        return alphas.map((alpha) => hebb(law, alpha));
      case "pseudo-inverse":
      case "square":
        return alphas.map((alpha) => square(law, alpha, rule === "square" ? ridge : 0));
      case "gibbs":
      case "bayes": {
        const space = (alpha) => (weights === "binary" ? binary(alpha, metastable) : spherical(alpha));
        return alphas.map((alpha) => (rule === "gibbs" ? member : centre)(space(alpha)));
      }
      case "max-stability": {
        const last = threshold(labels === "random" ? Infinity : noise);
        const found = stablest(law, alphas.filter((alpha) => alpha < last));
        return alphas.map((_, i) => {
          if (!found[i]) return NOBODY;
          const margin = 1 / Math.hypot(found[i].along, found[i].across);
          return { ...found[i], training_error: 0, margin };
        });
      }
      case "logistic":
      case "hinge":
        if (!(ridge > 0)) throw new Error(`rule ${rule} has a ridge above 0 here, not ${ridge}`);
        return minimisers(rule, law, ridge, alphas).map((found) => {
          if (!found) return NOBODY;
          const { along, across, V, loss, push } = found;
          const short = (push * V) / Math.hypot(along, across);
          return { along, across, training_error: wrong(short, law, along, across), training_loss: loss };
        });
      default:
        throw new Error(`no rule ${rule}`);
    }
  }

  const EXTRA = {
    square: ["training_loss"],
    logistic: ["training_loss"],
    hinge: ["training_loss"],
    "max-stability": ["margin"],
    gibbs: ["entropy"],
  };

  // Every observable at `times`, the alphas, (T,). question: rule, times, ridge (of losses), noise, labels
  // ("teacher", "random"), weights ("spherical", "binary"), and metastable: whether binary weights stay on
  // the branch of few examples to its end. NaN where there is no such student.
  function examples(question) {
    const { times } = question;
    if (!times.every((alpha) => alpha > 0)) throw new Error("alpha is not above 0");
    const order = Array.from(times, (_, t) => t).sort((a, b) => times[a] - times[b]);
    const found = students(question, order.map((t) => times[t]));
    const own = EXTRA[question.rule] ?? [];
    const names = ["R", "angle", "generalisation_error", "training_error", "Q", ...own];
    const answer = Object.fromEntries(names.map((name) => [name, new Float64Array(times.length)]));
    order.forEach((t, i) => {
      const { along, across } = found[i];
      const size = Math.hypot(along, across);
      const angle = Math.atan2(across, along);
      const all = { R: along / size, angle, generalisation_error: angle / Math.PI, Q: size * size };
      for (const name of names) answer[name][t] = all[name] ?? found[i][name];
    });
    return answer;
  }

  // The alpha up to which examples are separable, of noise >= 0, infinite for coins:
  //
  //   max over theta of pi sin^2 theta/(theta' - sin theta' cos theta'),
  //   cos theta' = cos theta/sqrt(1 + noise^2)
  //
  // (candes2020, in closed form). With c the last factor it is largest where the slope of its logarithm
  // vanishes.
  function threshold(noise) {
    if (noise === 0) return Infinity;
    if (noise === Infinity) return CAPACITY;
    const { clean, unclear } = lawOf({ noise });
    const angles = (log) => {
      const tangent = Math.exp(log);
      const sine = tangent / Math.hypot(1, tangent), cosine = 1 / Math.hypot(1, tangent);
      return { sine, cosine, wide: Math.hypot(unclear, clean * sine) };
    };
    const slope = (log) => {
      const { sine, cosine, wide } = angles(log);
      return clean * sine * sine * wide - segment(Math.atan2(wide, clean * cosine)) * cosine;
    };
    const there = brent(slope, Math.log(unclear / 2), Math.log(4 / clean), { accuracy: 1e-15 });
    const { cosine, wide } = angles(there);
    return (Math.PI * cosine) / (clean * wide);
  }

  // angle - sin angle cos angle, to all its digits.
  function segment(angle) {
    if (angle > 0.3) return angle - Math.sin(angle) * Math.cos(angle);
    const square = 4 * angle * angle;
    let term = (2 * angle * square) / 6, total = 0;
    for (let k = 0; k < 12; k++) {
      total += term;
      term *= -square / ((2 * k + 4) * (2 * k + 5));
    }
    return total / 2;
  }

  // The threshold as an answer.
  function separable({ noise }) {
    return { alpha: [threshold(noise)] };
  }

  // Cover's count: the share of labellings of n points in d dimensions that a plane through the origin makes,
  // 2^(1 - n) sum_{k < d} C(n - 1, k) (cover1965). n: up to 1000, so that no term is below all numbers.
  function cover({ n, d }) {
    const share = Array.from(n, (points) => {
      if (!(points <= 1000)) throw new Error(`${points} points are more than 1000`);
      let term = 2 ** (1 - points), sum = 0;
      for (let k = 0; k < Math.min(d, points); k++) {
        sum += term;
        term *= (points - 1 - k) / (k + 1);
      }
      return points > d ? sum : 1;
    });
    return { share };
  }

  theory.perceptron = { examples, separable, cover, branch };
})();
