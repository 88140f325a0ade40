// Numbers as Python's format writes them.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});

  // A number by a Python format: [+][,][.digits][e f g d %]; `g` with six digits where nothing is said.
  function format(value, spec = "g") {
    const [, sign, comma, digits, type] = /^([+]?)(,?)(?:\.(\d+))?([efgd%]?)$/.exec(spec);
    const x = Number(value);
    if (Number.isNaN(x)) return "nan";
    const size = Math.abs(x);
    const minus = x < 0 || Object.is(x, -0) ? "-" : sign;
    if (size === Infinity) return `${minus}inf`;
    const places = digits === undefined ? 6 : Number(digits);
    let text = "";
    if (type === "d") text = String(Math.round(size));
    else if (type === "f") text = size.toFixed(places);
    else if (type === "%") text = `${(100 * size).toFixed(places)}%`;
    else if (type === "e") text = power(size.toExponential(places));
    else text = general(size, places || 1);
    if (comma) text = text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
    return minus + text;
  }

  // As many digits as asked for, without zeros at the end.
  function general(size, digits) {
    const exponent = size ? Number(size.toExponential(digits - 1).split("e")[1]) : 0;
    if (exponent >= -4 && exponent < digits) return bare(size.toFixed(digits - 1 - exponent));
    const [mantissa, rest] = size.toExponential(digits - 1).split("e");
    return power(`${bare(mantissa)}e${rest}`);
  }

  const bare = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  const power = (text) => text.replace(/e([+-])(\d)$/, "e$10$2");

  TS.format = format;
})();
