// Students of a perceptron that minimise a convex loss with ridge, and that of largest stability.
// needs: numerics/special.js numerics/quadrature.js numerics/linalg.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { erfcx } = TS.numerics.special;
  const { solve } = TS.numerics.linalg;
  const rule = TS.numerics.quadrature.gaussLegendre(16);

  // Edges of panels, in units of both widths of the law of what a student meets.
  const WIDE = [-9, -6, -4, -2, 0, 2, 4, 6, 9];
  const NARROW = [-9, -6, -4, -2, 2, 4, 6, 9];
  // Places at which the logistic loss bends, and those about the logarithm of V where the pulled lie.
  const BENDS = [-40, -20, -10, -5, -2, 0, 2, 5, 10, 20, 40];
  const TURNS = [-10, -5, -2, 2, 5, 10, 20, 40];

  const ROOT_TWO_PI = Math.sqrt(2 * Math.PI);
  const MOST_STEPS = 60;
  const FARTHEST = 2; // a step of Newton's method changes no logarithm by more
  const CLOSE = 1e-7; // after such a step the next would be lost in rounding
  const EASY = 1; // a ridge from which on Newton's method finds the student without a guess
  const SHORTEST = 0.01; // steps in the logarithm of the ridge

  // Examples at nodes: t = y h of a student that was not trained on them, the weight of the node in an
  // integral over t, their force F, its slope in t, and the loss of what they become once they are trained
  // on.
  const ROOM = 40 * rule.nodes.length;
  const nodes = { count: 0 };
  for (const name of ["t", "weight", "force", "slope", "loss"]) nodes[name] = new Float64Array(ROOM);

  // Calls at(x, weight) at the nodes of panels between those of the edges that lie from low to high.
  function panels(edges, low, high, at) {
    const inside = edges.map((edge) => Math.min(Math.max(edge, low), high)).sort((a, b) => a - b);
    nodes.count = 0;
    for (let i = 1; i < inside.length; i++) {
      const half = (inside[i] - inside[i - 1]) / 2, middle = (inside[i] + inside[i - 1]) / 2;
      if (half <= 0) continue;
      for (let j = 0; j < rule.nodes.length; j++) at(middle + half * rule.nodes[j], half * rule.weights[j]);
    }
  }

  function keep(t, weight, force, slope, loss) {
    const i = nodes.count++;
    nodes.t[i] = t;
    nodes.weight[i] = weight;
    nodes.force[i] = force;
    nodes.slope[i] = slope;
    nodes.loss[i] = loss;
  }

  // Losses: `push` is -l'(0); `meet` keeps the nodes from the first to the last of increasing edges.
  const LOSSES = {
    // max(0, 1 - h): what is short of 1 is pulled by V at most.
    hinge: {
      push: 1,
      meet(edges, V) {
        panels([...edges, 1 - V], edges[0], Math.min(edges.at(-1), 1), (t, weight) => {
          const short = 1 - t;
          if (short < V) keep(t, weight, short / V, -1 / V, 0);
          else keep(t, weight, 1, 0, short - V);
        });
      },
    },
    // No margin below 1, at V = 1.
    hard: {
      push: Infinity,
      meet(edges) {
        panels(edges, edges[0], Math.min(edges.at(-1), 1), (t, weight) => keep(t, weight, 1 - t, -1, 0));
      },
    },
    // log(1 + e^-h), in nodes h = prox(t), so that t = h - V/(1 + e^h).
    logistic: {
      push: 0.5,
      meet(edges, V) {
        const log = Math.log(V);
        const ends = edges.map((edge) => prox(edge, V, log));
        const turns = TURNS.map((turn) => Math.max(log, 0) + turn);
        panels([...ends, ...BENDS, ...turns], ends[0], ends.at(-1), (h, weight) => {
          const small = Math.exp(-Math.abs(h));
          const least = small / (1 + small);
          const force = h > 0 ? least : 1 - least;
          const bend = least / (1 + small);
          const wide = 1 + V * bend;
          keep(h - V * force, weight * wide, force, -bend / wide, Math.log1p(small) + Math.max(-h, 0));
        });
      },
    },
  };

  // h with h - t = V/(1 + e^h): log(h - t) + log(1 + e^h) = log V by Newton's method from above.
  function prox(t, V, log) {
    let x = Math.min(log, Math.log(Math.max(log, 0) + Math.max(-t, 0) + 1));
    for (let step = 1, left = 60; left > 0 && Math.abs(step) > 1e-9; left--) {
      const pulled = Math.exp(x);
      const h = t + pulled;
      const small = Math.exp(-Math.abs(h));
      const slope = 1 + (pulled * (h > 0 ? 1 : small)) / (1 + small);
      step = (x + Math.max(h, 0) + Math.log1p(small) - log) / slope;
      x -= step;
    }
    return t + Math.exp(x);
  }

  // Means over examples of the force, of its square and of minus its slope, and the slopes of these in
  // logarithms.
  //
  // x = t/size has density 2 phi(x) Phi(delta x), and where labels are doubtful t has standard deviation
  // `rest`. F = -l'(t + V F), so that dF/dV = F F'; where that is to be differentiated again the density is,
  // by parts.
  function means(loss, size, rest, delta, V) {
    const edges = [...WIDE.map((edge) => edge * size), ...NARROW.map((edge) => edge * rest)];
    loss.meet(edges.sort((a, b) => a - b), V);
    let turning = 0, turningWide = 0, turningV = 0;
    let force = 0, forceSize = 0, forceDelta = 0, forceV = 0;
    let stiff = 0, stiffSize = 0, stiffDelta = 0, stiffV = 0, cost = 0;
    for (let i = 0; i < nodes.count; i++) {
      const t = nodes.t[i], F = nodes.force[i], slope = nodes.slope[i];
      const x = t / size;
      const bulk = (nodes.weight[i] * Math.exp(-0.5 * x * x)) / (size * ROOT_TWO_PI);
      const z = delta * Math.abs(x);
      const steep = Math.exp(-0.5 * z * z);
      const beyond = steep * erfcx(z * Math.SQRT1_2); // twice the share of a normal law
      const seen = bulk * (x < 0 ? beyond : 2 - beyond);
      const edge = (2 * bulk * steep) / ROOT_TWO_PI; // 2 phi(x) phi(delta x)
      const y = t / rest;
      const doubtful = (nodes.weight[i] * Math.exp(-0.5 * y * y)) / (rest * ROOT_TWO_PI);
      const turned = delta * edge - x * seen; // the slope of the density in x
      const moved = F * slope;
      turning += doubtful * F;
      turningWide += doubtful * slope * t;
      turningV += doubtful * moved;
      force += seen * F * F;
      forceSize += 2 * seen * moved * t;
      forceDelta += x * edge * F * F;
      forceV += 2 * seen * F * moved;
      stiff -= seen * slope;
      stiffSize += slope * (seen + x * turned);
      stiffDelta -= x * edge * slope;
      stiffV += turned * moved;
      cost += seen * nodes.loss[i];
    }
    return {
      turning: [turning, turningWide, V * turningV],
      force: [force, forceSize, delta * forceDelta, V * forceV],
      stiff: [stiff, stiffSize, delta * stiffDelta, (V / size) * stiffV],
      loss: cost,
    };
  }

  // What the equations of state evolution make of a state, the logarithms of along/c, across and V, and the
  // slopes of that: with mu = alpha sqrt(2/pi) E F, q = alpha E F^2 and s = -alpha E F'
  //
  //   along = c mu V, across^2 = q V^2, V = 1/(ridge + s)            (loureiro2021, thrampoulidis2018).
  //
  // The student of largest stability has V = 1 and no third equation (gardner1988).
  function equations({ loss, clean, unclear }, alpha, ridge, [a, b, l]) {
    const hard = loss === LOSSES.hard;
    const along = clean * Math.exp(a), across = Math.exp(b), V = hard ? 1 : Math.exp(l);
    const size = Math.hypot(along, across), rest = Math.hypot(across, unclear * along);
    const delta = (clean * along) / rest;
    const found = means(loss, size, rest, delta, V);
    // slopes of the logarithms of size, rest and delta in those of along and across
    const sizes = [(along / size) ** 2, (across / size) ** 2];
    const rests = [((unclear * along) / rest) ** 2, (across / rest) ** 2];
    const deltas = [rests[1], -rests[1]];
    const [T, TWide, TV] = found.turning;
    const [E, ESize, EDelta, EV] = found.force;
    const [S, SSize, SDelta, SV] = found.stiff;
    const held = ridge + alpha * S;
    const response = hard ? 0 : -Math.log(held);
    const taught = Math.log(alpha * Math.sqrt(2 / Math.PI) * T);
    const value = [taught + response, 0.5 * Math.log(alpha * E) + response];
    const ofResponse = [0, 1].map((i) => (-alpha * (SSize * sizes[i] + SDelta * deltas[i])) / held);
    ofResponse.push((-alpha * SV) / held);
    if (hard) ofResponse.fill(0);
    const slopes = [
      [...[0, 1].map((i) => (TWide / T) * rests[i]), TV / T],
      [...[0, 1].map((i) => (0.5 * (ESize * sizes[i] + EDelta * deltas[i])) / E), (0.5 * EV) / E],
    ].map((row) => row.map((each, i) => each + ofResponse[i]));
    if (hard) return { value, slopes: slopes.map((row) => row.slice(0, 2)), means: found };
    return { value: [...value, response], slopes: [...slopes, ofResponse], means: found };
  }

  // A step of Newton's method to f(x) = x.
  function newton(value, slopes, state) {
    const residual = value.map((each, i) => each - state[i]);
    const step = solve(slopes.map((row, i) => row.map((each, j) => (i === j ? 1 : 0) - each)), residual);
    return step.every(Number.isFinite) ? step : residual;
  }

  const largest = (values) => values.reduce((most, each) => Math.max(most, Math.abs(each)), 0);

  // The fixed point from a guess, or null where it is not found in so many steps.
  function fixedPoint(problem, alpha, ridge, guess, most = MOST_STEPS) {
    let state = guess;
    let at = equations(problem, alpha, ridge, state);
    for (let left = most; left > 0; left--) {
      const step = newton(at.value, at.slopes, state);
      const size = largest(step);
      if (!Number.isFinite(size)) return null;
      const before = largest(at.value.map((each, i) => each - state[i]));
      let moved = null;
      for (const share of [1, 0.3, 0.1]) {
        const part = share * Math.min(1, FARTHEST / size);
        const tried = state.map((each, i) => each + part * step[i]);
        if (size <= CLOSE) return tried;
        const found = equations(problem, alpha, ridge, tried);
        if (largest(found.value.map((each, i) => each - tried[i])) < before * (1 - 0.1 * share)) {
          moved = [tried, found];
          break;
        }
      }
      moved ??= [at.value, equations(problem, alpha, ridge, at.value)]; // plain iteration
      [state, at] = moved;
    }
    return null;
  }

  // The same without a guess: a small ridge is approached from a large one, as long as a straight line
  // foretells.
  function approached(problem, alpha, ridge) {
    let here = Math.max(Math.log(ridge), Math.log(EASY));
    let state = fixedPoint(problem, alpha, Math.exp(here), [0, 0, 0]);
    let step = 1, slope = [0, 0, 0];
    const goal = Math.log(ridge);
    while (state && here > goal && step > SHORTEST) {
      const there = Math.max(here - step, goal);
      const guess = state.map((each, i) => each + slope[i] * (there - here));
      const found = fixedPoint(problem, alpha, Math.exp(there), guess, 8);
      if (!found) {
        step *= 0.2;
        continue;
      }
      slope = found.map((each, i) => (each - state[i]) / (there - here));
      [state, here, step] = [found, there, 3 * step];
    }
    return here <= goal ? state : null;
  }

  // States at increasing alphas, null where none is found: each is guessed from the two before.
  function followed(problem, alphas, ridge, alone) {
    const found = [];
    let last = null, before = null;
    for (const alpha of alphas) {
      let state = null;
      if (last && before && last.alpha > before.alpha) {
        const share = Math.log(alpha / last.alpha) / Math.log(last.alpha / before.alpha);
        const guess = last.state.map((each, i) => each + share * (each - before.state[i]));
        if (share < 2) state = fixedPoint(problem, alpha, ridge, guess, 10);
      }
      state ??= alone(alpha);
      if (state) [before, last] = [last, { alpha, state }];
      found.push(state);
    }
    return found;
  }

  // Students of least loss ("logistic", "hinge") with ridge > 0 at increasing alphas, or null: along, across,
  // V, the mean loss, and -l'(0).
  function minimisers(name, { clean, unclear }, ridge, alphas) {
    const problem = { loss: LOSSES[name], clean, unclear };
    const states = followed(problem, alphas, ridge, (alpha) => approached(problem, alpha, ridge));
    return states.map((state, i) => {
      if (!state) return null;
      const along = clean * Math.exp(state[0]), across = Math.exp(state[1]), V = Math.exp(state[2]);
      const { loss } = equations(problem, alphas[i], ridge, state).means;
      return { along, across, V, loss, push: problem.loss.push };
    });
  }

  // Students of largest stability at increasing alphas, or null: along and across.
  function stablest({ clean, unclear }, alphas) {
    const problem = { loss: LOSSES.hard, clean, unclear };
    const alone = (alpha) => {
      const margin = 1 / Math.sqrt(alpha + alpha * alpha);
      const angle = Math.PI / 2 / (1 + Math.sqrt(alpha) + alpha);
      const guess = [Math.cos(angle), Math.sin(angle)].map((each) => Math.log(each / margin));
      return fixedPoint(problem, alpha, 0, guess);
    };
    return followed(problem, alphas, 0, alone).map(
      (state) => state && { along: clean * Math.exp(state[0]), across: Math.exp(state[1]) },
    );
  }

  theory.perceptronLosses = { minimisers, stablest };
})();
