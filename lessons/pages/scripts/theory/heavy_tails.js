// Tail index and Lyapunov exponent of SGD with a fixed step, for inputs of one strength, and Gibbs' law.
// needs: numerics/quadrature.js numerics/roots.js numerics/special.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const theory = (TS.theory ??= {});
  const { quadrature, roots, special } = TS.numerics;

  // How far beyond a peak nodes go: e^(-MARGIN^2) is 2e-12. Length of a panel and nodes on it.
  const [MARGIN, PANEL, NODES] = [5.2, 2.6, 16];
  // Nodes next to a singular point, at distances u^POWER with Gauss's u: powers of the distance are smooth in u.
  const [BESIDE, POWER, CLOSE] = [[64, 34, 28, 24], 4, 1.7]; // of 1, 2, 3 and more inputs
  // Logarithms of how much less likely than the rest a peak, and a single node, is that is left out.
  const [FAR, SMALL] = [60, 36];
  // Up to here ln(1 + z) - z is told by its series.
  const SERIES = 0.2;
  // Nodes serve orders up to one of these; a tail index above HIGHEST is not told.
  const [ORDERS, HIGHEST] = [[8, 16, 32, 64, 128, 300], 300];
  // By how much Newton's method starts above a guess.
  const ABOVE = 1.03;
  // Shares of the largest order at which a node must count for something to be kept.
  const BETWEEN = [0, 0.1, 0.25, 0.5, 0.75, 1];

  // Distances in (0, 1) from an end at which a function may be singular, and weights.
  const crowded = (count) => {
    const { nodes, weights } = quadrature.gaussLegendre(count);
    return Array.from(nodes, (node, i) => {
      const u = (1 + node) / 2;
      return [u ** POWER, (POWER * u ** (POWER - 1) * weights[i]) / 2];
    });
  };
  const CROWDED = BESIDE.map(crowded);

  const PANELS = quadrature.gaussLegendre(NODES);

  // Gauss's nodes and weights, in pairs, on panels from low to high.
  function panels(low, high) {
    const { nodes, weights } = PANELS;
    const count = Math.ceil((high - low) / PANEL);
    const found = [];
    for (let i = 0; i < count; i++) {
      const half = (high - low) / count / 2;
      const middle = low + (2 * i + 1) * half;
      for (let j = 0; j < NODES; j++) found.push([middle + half * nodes[j], half * weights[j]]);
    }
    return found;
  }

  // Distances from `singular`, where the function may be singular if it lies inside, of nodes on (low, high).
  function nodesAbout(singular, low, high, d) {
    [low, high] = [low - singular, high - singular];
    if (!(low <= 0 && high >= 0)) return panels(low, high);
    const found = [];
    for (const [side, length] of [[-1, -low], [1, high]]) {
      if (!(length > 0)) continue;
      const close = Math.min(CLOSE, length);
      for (const [r, weight] of CROWDED[Math.min(d, 4) - 1]) found.push([side * close * r, close * weight]);
      if (length > close) for (const [r, weight] of panels(close, length)) found.push([side * r, weight]);
    }
    return found;
  }

  // The logarithm of the density of r = sqrt(X), X ~ chi2_nu, up to a number that does not depend on r > 0;
  // about sqrt(nu), relative to it, so that nothing cancels where nu is large.
  function logDensity(nu, r) {
    const mean = Math.sqrt(nu);
    const z = (r - mean) / mean;
    let beyond = Math.log(r / mean) - z;
    if (Math.abs(z) < SERIES) {
      const y = z / (2 + z);
      let terms = 0;
      for (let j = 17; j >= 3; j -= 2) terms = terms * y * y + 1 / j;
      beyond = -z * y + 2 * y ** 3 * terms;
    }
    return nu * (beyond - (z * z) / 2) - (beyond + z);
  }

  // Between which sqrt(X) lies what counts for orders from 0 to `order`, zero = b/eta: x^(b/2) e^(-x/2)
  // |x - zero|^s has a peak on each side of zero. One that is e^-FAR of what is likely may lie far away.
  function reach(zero, batch, d, order) {
    const total = zero + batch + 2 * order;
    let upper = (total + Math.sqrt(total * total - 4 * batch * zero)) / 2;
    let lower = (batch * zero) / upper;
    const height = (x, y) => {
      const V = (1 - x / zero) ** 2 + (x * y) / (zero * zero);
      return logDensity(batch, Math.sqrt(x)) + (V > 0 ? (order / 2) * Math.log(V) : -Infinity);
    };
    const likely = height(batch, d - 1) - FAR;
    if (zero > batch && height(upper, d - 1 + order) < likely) upper = batch + order;
    if (zero < batch && height(lower, d - 1 + order) < likely) lower = batch;
    return [Math.max(0, Math.sqrt(lower) - MARGIN), Math.sqrt(upper) + MARGIN];
  }

  const spaces = new Map(); // arrays for the nodes by largest order: the last step size's

  // ln V of one step at nodes, V = |M u|^2 = (1 - k X)^2 + k^2 X Y, and their probabilities, for orders up to
  // `order`. Nodes that count for nothing at any order between are left out.
  function growth(eta, batch, d, order) {
    const k = eta / batch;
    const middle = Math.sqrt(1 / k);
    const [low, high] = reach(1 / k, batch, d, order);
    const first = nodesAbout(middle, low, high, d).map(([apart, weight]) => {
      const r = Math.max(apart + middle, Number.MIN_VALUE);
      return [apart / middle, logDensity(batch, r) + Math.log(weight)];
    });
    const beside = d === 1 ? [] : nodesAbout(0, 0, Math.sqrt(d - 1 + order) + MARGIN, d);
    const others = beside.map(([q, weight]) => [k * q * q, logDensity(d - 1, q) + Math.log(weight)]);
    if (d === 1) others.push([0, 0]);
    const all = first.length * others.length;
    if (!(all <= spaces.get(order)?.[0].length)) {
      spaces.set(order, [new Float64Array(2 * all), new Float64Array(2 * all)]);
    }
    const [logs, likely] = spaces.get(order);
    const [ys, odds] = [0, 1].map((i) => Float64Array.from(others, (each) => each[i]));
    const powers = Float64Array.from(BETWEEN, (share) => (share * order) / 2);
    const most = new Float64Array(powers.length).fill(-Infinity);
    let at = 0;
    for (const [relative, own] of first) {
      const x = (1 + relative) ** 2; // k X
      const square = (relative * (2 + relative)) ** 2;
      for (let j = 0; j < ys.length; j++) {
        const y = ys[j];
        const change = x * (x + y - 2); // V - 1
        logs[at] = Math.abs(change) < 0.5 ? Math.log1p(change) : Math.log(square + x * y);
        likely[at] = own + odds[j];
        if (logs[at] === -Infinity) likely[at] = -Infinity; // at a singular point: of no weight
        for (let p = 0; p < powers.length; p++) {
          const height = likely[at] + powers[p] * logs[at];
          if (height > most[p]) most[p] = height;
        }
        at++;
      }
    }
    let kept = 0, total = 0;
    for (let i = 0; i < all; i++) {
      let counts = false;
      for (let p = 0; p < powers.length; p++) counts ||= likely[i] + powers[p] * logs[i] > most[p] - SMALL;
      if (!counts) continue;
      logs[kept] = logs[i];
      likely[kept] = likely[i] - most[0];
      total += Math.exp(likely[kept]);
      kept++;
    }
    const norm = Math.log(total);
    for (let i = 0; i < kept; i++) likely[i] -= norm;
    return { logs: logs.subarray(0, kept), likely: likely.subarray(0, kept) };
  }

  // rho of a step.
  function lyapunov({ logs, likely }) {
    let sum = 0;
    for (let i = 0; i < logs.length; i++) sum += Math.exp(likely[i]) * logs[i];
    return sum / 2;
  }

  // ln h(s) and its slope.
  function logMoment({ logs, likely }, s) {
    const half = s / 2;
    let most = -Infinity;
    for (let i = 0; i < logs.length; i++) most = Math.max(most, likely[i] + half * logs[i]);
    let sum = 0, slope = 0;
    for (let i = 0; i < logs.length; i++) {
      const mass = Math.exp(likely[i] + half * logs[i] - most);
      sum += mass;
      slope += mass * logs[i];
    }
    return [most + Math.log(sum), slope / sum / 2];
  }

  // The order at which ln h, which is convex, returns to 0: by Newton's method, which cannot overshoot from
  // above; first from a little above `guess`. NaN above HIGHEST.
  function index(nodes, guess) {
    for (const order of ORDERS) {
      if (order < ABOVE * guess) continue;
      const of = nodes(order);
      let s = Math.min(ABOVE * guess || order, order);
      let [value, slope] = logMoment(of, s);
      if (!(value > 0)) [value, slope] = logMoment(of, (s = order));
      if (!(value > 0)) continue;
      for (let step = 0; step < 100; step++) {
        const move = value / slope;
        s -= move;
        if (Math.abs(move) <= 1e-6 * s) return s; // it converges quadratically
        [value, slope] = logMoment(of, s);
      }
      return NaN;
    }
    return NaN;
  }

  // The last nodes of one step size, by the largest order that they serve.
  let last = { key: "", made: new Map() };

  function nodesOf(eta, batch, d) {
    const key = `${eta} ${batch} ${d}`;
    if (last.key !== key) last = { key, made: new Map() };
    const { made } = last;
    return (order) => {
      if (!made.has(order)) made.set(order, growth(eta, batch, d, order));
      return made.get(order);
    };
  }

  // rho and tail index of steps of the sizes `times` on `batch` examples of d inputs of variance 1. There is
  // no index, NaN, where rho >= 0: SGD diverges. None above 300 is told. guess: of the index at the last of
  // them; at others it goes on, as a power of the step size, from the two that are found before.
  function stationary({ batch, d, times, guess = NaN }) {
    const rho = times.map(() => NaN), alpha = times.map(() => NaN);
    for (let i = times.length - 1; i >= 0; i--) {
      const one = i + 1, two = i + 2;
      const steep = Math.log(alpha[two] / alpha[one]) / Math.log(times[two] / times[one]);
      const on = alpha[one] * (times[i] / times[one]) ** (steep || -1) || guess;
      const near = on * ABOVE < HIGHEST ? on : NaN;
      const nodes = nodesOf(times[i], batch, d);
      const order = ORDERS.find((each) => each >= ABOVE * near) ?? ORDERS[0];
      rho[i] = lyapunov(nodes(order));
      if (rho[i] < 0) alpha[i] = index(nodes, near);
    }
    return { lyapunov: rho, tail_index: alpha };
  }

  // ln h at orders `times`, up to 300.
  function orders({ batch, d, learning_rate: eta, times }) {
    const nodes = nodesOf(eta, batch, d);
    const log_growth = times.map((s) => {
      const order = ORDERS.find((each) => s <= each);
      if (order === undefined) throw new Error(`order ${s} is above ${HIGHEST}`);
      return logMoment(nodes(order), s)[0];
    });
    return { log_growth };
  }

  // The step size at which the tail index is 2, and the largest, at which rho is 0.
  function rates({ batch, d }) {
    const critical = (2 * batch) / (batch + d + 1);
    const rho = (eta) => lyapunov(nodesOf(eta, batch, d)(ORDERS[0]));
    return { critical, largest: roots.brent(rho, critical, 3, { accuracy: 1e-13 }) };
  }

  // The chance that a chi-square number with d degrees of freedom is above 2 x, d = 1, 2, 3, ...
  function chiBeyond(d, x) {
    const odd = [0.5, special.erfc(Math.sqrt(x)), 2 * Math.sqrt(x / Math.PI)];
    let [a, share, term] = d % 2 ? odd : [1, Math.exp(-x), x];
    for (; a < d / 2; a++) {
      share += term * Math.exp(-x);
      term *= x / (a + 1);
    }
    return share;
  }

  // The share of students beyond distances `times` by Gibbs' law at the step size eta.
  function beyond({ batch, d, eta, times }) {
    return { share: times.map((t) => chiBeyond(d, (t * t * batch) / eta)) };
  }

  // The distance at which Gibbs' law falls as steeply as t^-alpha.
  function leaves({ batch, d, eta, alpha }) {
    let gamma = d % 2 ? Math.sqrt(Math.PI) : 1;
    for (let a = d % 2 ? 0.5 : 1; a < d / 2; a++) gamma *= a;
    const steeper = (logX) => {
      const x = Math.exp(logX);
      return (2 * x ** (d / 2) * Math.exp(-x)) / gamma - alpha * chiBeyond(d, x);
    };
    return { distance: Math.sqrt((Math.exp(roots.brent(steeper, -40, 6)) * eta) / batch) };
  }

  theory.heavy_tails = { stationary, orders, rates, beyond, leaves };
})();
