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
    else if (type === "f") text = fixed(size, places);
    else if (type === "%") text = `${fixed(100 * size, places)}%`;
    else if (type === "e") text = power(exponential(size, places));
    else text = general(size, places || 1);
    if (comma) text = text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
    return minus + text;
  }

  // As many digits as asked for, without zeros at the end.
  function general(size, digits) {
    const exponent = size ? Number(exponential(size, digits - 1).split("e")[1]) : 0;
    if (exponent >= -4 && exponent < digits) return bare(fixed(size, digits - 1 - exponent));
    const [mantissa, rest] = exponential(size, digits - 1).split("e");
    return power(`${bare(mantissa)}e${rest}`);
  }

  // A number half way between two is rounded to the even one, as in Python, and not away from zero. `EXACT`
  // digits more than are asked for tell which is half way.
  const EXACT = 40;
  const even = (up, exact, cut) =>
    /[02468]\.?$/.test(cut) && /^\.?50*$/.test(exact.slice(cut.length)) ? cut : up;

  function fixed(size, places) {
    const exact = size.toFixed(Math.min(100, places + EXACT));
    return even(size.toFixed(places), exact, exact.slice(0, exact.indexOf(".") + (places && places + 1)));
  }

  function exponential(size, places) {
    const [exact] = size.toExponential(Math.min(100, places + EXACT)).split("e");
    const [mantissa, power] = size.toExponential(places).split("e");
    return `${even(mantissa, exact, exact.slice(0, places ? places + 2 : 1))}e${power}`;
  }

  const bare = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  const power = (text) => text.replace(/e([+-])(\d)$/, "e$10$2");

  TS.format = format;
})();
