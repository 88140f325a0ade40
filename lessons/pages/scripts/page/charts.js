// Pictures as SVG, as `lessons/kit` draws them: panels one below the other on one horizontal axis.
// needs: page/format.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});

  // `marks.py`
  const [INK, MUTED, GRID] = ["var(--chart-ink, #1f2933)", "var(--chart-muted, #52606d)", "var(--chart-grid, #d9dee4)"];
  const [BAND, GROUND] = ["var(--chart-band, #e4e9ee)", "var(--chart-ground, #fff)"];
  const LOOKS = [
    { colour: "var(--look-0, #0b3c6f)", marker: "circle" },
    { colour: "var(--look-1, #c04a00)", marker: "square" },
    { colour: "var(--look-2, #00806a)", marker: "triangle" },
    { colour: "var(--look-3, #8e4585)", marker: "diamond" },
    { colour: "var(--look-4, #3a86c8)", marker: "cross" },
  ];
  const SIZE = 3.6;
  const FAR = 1e5;
  const [CORNER, LONG, LEVEL] = [0.5, 500, 1e-4];
  const SHAPES = {
    circle: (r, d) => `a${r} ${r} 0 1 0 ${d} 0a${r} ${r} 0 1 0 -${d} 0z`,
    square: (r, d) => `v-${r}h${d}v${d}h-${d}z`,
    triangle: (r, d) => `m0 ${r}l${r} -${d}l${r} ${d}z`,
    diamond: (r) => `l${r} -${r}l${r} ${r}l-${r} ${r}z`,
    cross: (r, d) => `m0 -${r}l${d} ${d}m0 -${d}l-${d} ${d}`,
  };
  const [WIDTH, LEFT, RIGHT, TITLE, BELOW, TICKED, EDGE, TALL] = [400, 48, 12, 28, 10, 48, 5, 120];
  const [MOST_TICKS, FEWEST_TICKS, FINE] = [6, 3, 2];
  const STYLE =
    "display:block;width:100%;max-width:30rem;height:auto;" +
    "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif";

  // The grammar: axes, marks, panels and pictures are plain objects, named as in Python.
  const axis = (label, { scale = "lin", low = null, high = null } = {}) => ({ label, scale, low, high });
  const line = (x, y, look, label = "", { dashed = false, width = 2 } = {}) => ({
    kind: "line", x: [...x], y: [...y], look, label, dashed, width,
  });
  const points = (x, y, look, label = "", { error = null, x_error = null } = {}) => ({
    kind: "points", x: [...x], y: [...y], look, label,
    error: error && [...error], x_error: x_error && [...x_error],
  });
  const band = (low, high) => ({ kind: "band", low, high });
  const now = (x, y = null, look = null, { line: drawn = true } = {}) => ({ kind: "now", x, y, look, line: drawn });
  const panel = (x, y, marks, { height = 210 } = {}) => ({ x, y, marks, height });
  const picture = (panels, { alt, caption = "" }) => ({ panels, alt, caption });
  const chart = (x, y, marks, { height, ...told }) => picture([panel(x, y, marks, { height })], told);

  const finite = Number.isFinite;
  const clip = (value) => Math.min(FAR, Math.max(-FAR, value));
  const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const escape = (text) => String(text).replace(/[&<>"']/g, (sign) => ESCAPED[sign]);
  const fixed = (value) => value.toFixed(1);
  const fine = (value) => value.toFixed(2);

  const placed = (one, value) => (one.scale === "lin" ? value : value > 0 ? Math.log10(value) : NaN);

  // Both ends on the axis' scale, with `room` (a share of the span) beyond the data.
  function ends(one, values, room = 0) {
    let [least, most] = [Infinity, -Infinity];
    for (const value of values) {
      const at = placed(one, value);
      if (!finite(at)) continue;
      if (at < least) least = at;
      if (at > most) most = at;
    }
    if (least > most) [least, most] = [0, 1];
    const margin = room * (most - least) || (most === least ? 0.5 : 0);
    return [
      one.low === null ? least - margin : placed(one, one.low),
      one.high === null ? most + margin : placed(one, one.high),
    ];
  }

  function ticks(one, low, high, most = MOST_TICKS) {
    if (one.scale === "lin") {
      return rounded(low, high, most).map((at) => [at, TS.format(at, ".10g").replace("-", "−")]);
    }
    const digits = high - low <= FINE ? [1, 2, 5] : [1];
    const every = Math.max(1, Math.ceil((high - low) / most));
    const found = [];
    for (let p = Math.floor(low); p <= Math.ceil(high); p += 1) {
      if (((p % every) + every) % every) continue;
      for (const digit of digits) {
        const at = Math.log10(digit) + p;
        if (at < low - 1e-9 || at > high + 1e-9) continue;
        const value = digit * 10 ** p;
        found.push([value, Math.abs(p) <= 3 ? TS.format(value) : powerLabel(digit, p)]);
      }
    }
    return found;
  }

  function rounded(low, high, most) {
    for (let count = most; ; count += 1) {
      const values = multiples(low, high, (high - low) / count);
      if (values.length >= FEWEST_TICKS) return values;
    }
  }

  function multiples(low, high, least) {
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((m) => m * power).find((each) => each >= least * (1 - 1e-9));
    const values = [];
    const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
    for (let i = first; i <= last; i += 1) values.push(i * step + 0); // + 0: no −0
    return values;
  }

  const powerLabel = (digit, p) => `${digit === 1 ? "" : `${digit} · `}10^{${p}}`.replace("-", "−");

  // A label as SVG: `_x`, `_{xy}`, `^x`, `^{xy}` lower or raise.
  function markup(text) {
    const [before, ...rest] = text.split(/([_^])(\{[^}]*\}|[\p{L}\p{N}_])/u);
    let drawn = escape(before);
    for (let i = 0; i < rest.length; i += 3) {
      const shift = rest[i] === "_" ? 0.25 : -0.4;
      const script = escape(rest[i + 1].replace(/[{}]/g, ""));
      drawn += `<tspan dy="${shift}em" font-size="85%">${script}</tspan>`;
      drawn += `<tspan dy="${TS.format(-0.85 * shift, ".4g")}em">\u200b${escape(rest[i + 2])}</tspan>`;
    }
    return drawn;
  }

  // All values of a mark along an axis, ends of error bars included.
  function valuesOf(mark, along) {
    if (mark.kind === "band") return along === "y" ? [mark.low, mark.high] : [];
    if (mark.kind === "now") return [];
    const values = mark[along].map(number);
    const error = mark.kind === "points" ? (along === "y" ? mark.error : mark.x_error) : null;
    return error ? values.flatMap((value, i) => [-1, 1].map((s) => value + s * number(error[i]))) : values;
  }

  const number = (value) => (value === null ? NaN : value);

  function stroke(mark, path) {
    const dashes = mark.dashed ? ' stroke-dasharray="6 4"' : "";
    return (
      `<path class="theory" data-label="${escape(mark.label)}" d="${path}" fill="none" ` +
      `stroke="${mark.look.colour}" stroke-width="${TS.format(mark.width)}"${dashes}/>`
    );
  }

  function drawLine(mark, across, up) {
    let path = "";
    let [a, b] = [[], []];
    for (let i = 0; i <= mark.x.length; i += 1) {
      const [x, y] = i < mark.x.length ? [across(number(mark.x[i])), up(number(mark.y[i]))] : [NaN, NaN];
      if (!Number.isNaN(x) && !Number.isNaN(y)) {
        a.push(clip(x));
        b.push(clip(y));
      } else if (a.length) {
        path += curve(a, b);
        [a, b] = [[], []];
      }
    }
    return stroke(mark, path);
  }

  // A smooth curve through points: cubic segments whose tangents are those of parabolas through three points,
  // by length along the chords.
  function curve(x, y) {
    const last = x.length - 1;
    let path = `M${fine(x[0])} ${fine(y[0])}`;
    if (last < 2) return last ? `${path}L${fine(x[1])} ${fine(y[1])}` : path;
    const h = new Float64Array(last);
    const [sx, sy] = [new Float64Array(last), new Float64Array(last)]; // directions of chords
    for (let i = 0; i < last; i += 1) {
      const dx = x[i + 1] - x[i];
      const dy = y[i + 1] - y[i];
      h[i] = Math.sqrt(dx * dx + dy * dy);
      sx[i] = dx / (h[i] || 1);
      sy[i] = dy / (h[i] || 1);
    }
    const [tx, ty] = [new Float64Array(last + 1).fill(NaN), new Float64Array(last + 1)]; // NaN: a corner or an end
    for (let i = 1; i < last; i += 1) {
      if (sx[i - 1] * sx[i] + sy[i - 1] * sy[i] < CORNER || Math.max(h[i - 1], h[i]) > LONG) continue;
      tx[i] = tangent(h[i - 1], h[i], sx[i - 1], sx[i]);
      ty[i] = tangent(h[i - 1], h[i], sy[i - 1], sy[i]);
    }
    for (let i = 0; i < last; i += 1) {
      const [begins, ends] = [Number.isNaN(tx[i]), Number.isNaN(tx[i + 1])];
      const third = h[i] / 3;
      const fx = begins ? (ends ? sx[i] : end(sx[i], tx[i + 1])) : tx[i];
      const fy = begins ? (ends ? sy[i] : end(sy[i], ty[i + 1])) : ty[i];
      const gx = ends ? (begins ? sx[i] : end(sx[i], tx[i])) : tx[i + 1];
      const gy = ends ? (begins ? sy[i] : end(sy[i], ty[i])) : ty[i + 1];
      path +=
        `C${fine(x[i] + third * fx)} ${fine(y[i] + third * fy)} ` +
        `${fine(x[i + 1] - third * gx)} ${fine(y[i + 1] - third * gy)} ${fine(x[i + 1])} ${fine(y[i + 1])}`;
    }
    return path;
  }

  // The slope of a parabola at its middle point, from lengths and slopes of both chords; none next to a level one.
  const tangent = (before, after, slope, next) =>
    Math.min(Math.abs(slope), Math.abs(next)) < LEVEL ? 0 : (after * slope + before * next) / (before + after);

  // The slope of a parabola at one end, from that of its chord and that at the other end.
  const end = (slope, other) =>
    Math.min(Math.max(0, 3 * slope), Math.max(Math.min(0, 3 * slope), 2 * slope - other));

  const marker = (look, x, y) =>
    `<path d="M${fixed(x - SIZE)} ${fixed(clip(y))}${SHAPES[look.marker](SIZE, 2 * SIZE)}"/>`;

  function drawPoints(mark, across, up) {
    const shown = (value) => clip(Number.isNaN(value) ? FAR : value);
    let [bars, markers] = ["", ""];
    for (let i = 0; i < mark.x.length; i += 1) {
      const [a, b] = [across(number(mark.x[i])), up(number(mark.y[i]))];
      if (!finite(a) || !finite(b)) continue;
      if (mark.error) {
        const [low, high] = [-1, 1].map((s) => shown(up(mark.y[i] + s * number(mark.error[i]))));
        bars += `M${fixed(a)} ${fixed(low)}V${fixed(high)}m-3 0h6M${fixed(a - 3)} ${fixed(low)}h6`;
      }
      if (mark.x_error) {
        const [low, high] = [-1, 1].map((s) => shown(across(mark.x[i] + s * number(mark.x_error[i]))));
        bars += `M${fixed(low)} ${fixed(b)}H${fixed(high)}m0 -3v6M${fixed(low)} ${fixed(b - 3)}v6`;
      }
      markers += marker(mark.look, a, b);
    }
    return (
      `<g class="simulation" data-label="${escape(mark.label)}" stroke="${mark.look.colour}" ` +
      `stroke-width="1.4" fill="${GROUND}"><path d="${bars}"/>${markers}</g>`
    );
  }

  function drawBand(mark, across, up) {
    const [high, middle, low] = [mark.high, (mark.low + mark.high) / 2, mark.low].map((each) => clip(up(each)));
    return (
      `<rect x="0" y="${fixed(high)}" width="100%" height="${fixed(low - high)}" fill="${BAND}"/>` +
      `<path d="M0 ${fixed(middle)}H${FAR}" stroke="${MUTED}" fill="none"/>`
    );
  }

  function drawNow(mark, across, up) {
    const x = across(number(mark.x));
    const drawn = mark.line ? `<path class="now" d="M${fixed(x)} -${FAR}V${FAR}" stroke="${MUTED}"/>` : "";
    const y = mark.y === null ? NaN : up(mark.y);
    if (!finite(y)) return drawn;
    const colour = mark.look ? mark.look.colour : MUTED;
    return `${drawn}<circle class="now" cx="${fixed(x)}" cy="${fixed(y)}" r="${SIZE + 1}" fill="${colour}"/>`;
  }

  const DRAW = { line: drawLine, points: drawPoints, band: drawBand, now: drawNow };

  const text = (x, y, label, anchor = "middle") =>
    `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${markup(label)}</text>`;

  // Places of a panel on the page: functions from values to its own coordinates, and back (for dragging).
  function scales(one, xEnds) {
    const width = WIDTH - LEFT - RIGHT;
    const room = Math.max(0.04, EDGE / one.height); // whole markers
    const yEnds = ends(one.y, one.marks.flatMap((mark) => valuesOf(mark, "y")).map(number), room);
    const share = (which, value, [low, high]) => (placed(which, value) - low) / (high - low);
    return {
      width,
      yEnds,
      across: (value) => width * share(one.x, value, xEnds),
      up: (value) => one.height * (1 - share(one.y, value, yEnds)),
    };
  }

  function drawPanel(one, xEnds, last) {
    const { width, yEnds, across, up } = scales(one, xEnds);
    const rows = ticks(one.y, ...yEnds, one.height > TALL ? 6 : 3).map(([at, label]) => [up(at), label]);
    const columns = ticks(one.x, ...xEnds).map(([at, label]) => [across(at), label]);
    const grid =
      rows.map(([y]) => `M0 ${fixed(y)}h${width}`).join("") +
      columns.map(([x]) => `M${fixed(x)} 0v${one.height}`).join("");
    let texts = text(1 - LEFT, -15, one.y.label, "start");
    texts += rows.map(([y, label]) => text(-6, y + 4.5, label, "end")).join("");
    if (last) {
      texts += columns.map(([x, label]) => text(x, one.height + 18, label)).join("");
      texts += text(width / 2, one.height + 38, one.x.label);
    }
    const marks = one.marks.map((mark) => DRAW[mark.kind](mark, across, up)).join("");
    return (
      `<path d="${grid}" stroke="${GRID}" fill="none"/>` +
      `<path d="M0 0V${one.height}H${width}" stroke="${MUTED}" fill="none"/>` +
      `<svg x="${-EDGE}" width="${width + 2 * EDGE}" height="${one.height}" overflow="hidden">` +
      `<g transform="translate(${EDGE})">${marks}</g></svg>${texts}`
    );
  }

  // Ends of the horizontal axis that the panels of a picture share.
  const sharedEnds = (panels) =>
    ends(panels[0].x, panels.flatMap((each) => each.marks.flatMap((mark) => valuesOf(mark, "x"))).map(number));

  function svg(panels, alt) {
    const xEnds = sharedEnds(panels);
    let [top, drawn] = [0, ""];
    panels.forEach((one, i) => {
      const last = i === panels.length - 1;
      drawn += `<g transform="translate(${LEFT},${top + TITLE})">${drawPanel(one, xEnds, last)}</g>`;
      top += TITLE + one.height + (last ? TICKED : BELOW);
    });
    return (
      `<svg class="picture" role="img" aria-label="${escape(alt)}" viewBox="0 0 ${WIDTH} ${top}" ` +
      `style="${escape(STYLE)}" font-size="14" fill="${INK}">${drawn}</svg>`
    );
  }

  function sample(mark) {
    const inside =
      mark.kind === "line"
        ? stroke(mark, "M0 7H26")
        : `<g stroke="${mark.look.colour}" stroke-width="1.4" fill="${GROUND}">${marker(mark.look, 13, 7)}</g>`;
    return `<svg width="26" height="14" viewBox="0 0 26 14" aria-hidden="true">${inside}</svg>`;
  }

  // A picture with its legend and caption, as HTML.
  function figure({ panels, alt, caption }) {
    const named = new Map();
    for (const mark of panels.flatMap((each) => each.marks)) {
      if (mark.label) named.set(`${mark.kind} ${mark.label}`, mark);
    }
    const entries = [...named.values()]
      .map(
        (mark) =>
          '<li style="display:inline-flex;align-items:center;gap:.35em;margin:0 1em 0 0">' +
          `${sample(mark)}<span>${escape(mark.label)}</span></li>`,
      )
      .join("");
    const legend = entries ? `<ul style="list-style:none;margin:.2rem 0;padding:0">${entries}</ul>` : "";
    const told = caption ? `<figcaption>${escape(caption)}</figcaption>` : "";
    return `<figure style="margin:0;max-width:30rem">${svg(panels, alt)}${legend}${told}</figure>`;
  }

  Object.assign(TS, { LOOKS, axis, line, points, band, now, panel, picture, chart, figure, escape });
  TS.charts = { scales, TALL, TITLE };
})();
