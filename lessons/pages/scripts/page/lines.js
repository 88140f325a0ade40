// The lines that compute a page's numbers elsewhere: a command, and a call in Python, from one question.
// needs: page/format.js page/charts.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});

  // A value as the command line reads it, to the last digit.
  function written(value) {
    if (Array.isArray(value)) return value.map(written).join(",");
    return typeof value === "number" ? TS.format(value, ".15g") : value;
  }

  // A value as Python reads it.
  function literal(value) {
    if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
    return typeof value === "number" ? written(value) : `"${value}"`;
  }

  // The command that prints an answer of `ts.curve`, and each of its options.
  function command({ problem, ...options }) {
    const flag = ([name, value]) => `--${name.replaceAll("_", "-")} ${written(value)}`;
    return [`teacherstudent curve ${problem}`, ...Object.entries(options).map(flag)];
  }

  // The call that makes the same answer in Python, and each of its arguments.
  function python({ problem, ...options }) {
    const named = Object.entries(options).map(([name, value]) => `${name}=${literal(value)}`);
    const called = [`"${problem}"`, ...named].map((each, i) => `${each}${i < named.length ? "," : ")"}`);
    return [`ts.curve(${called[0]}`, ...called.slice(1)];
  }

  const block = (kind) => (line) =>
    `<pre class="${kind}">${line.map((part) => `<span>${TS.escape(part)}</span>`).join(" ")}</pre>`;

  // All lines of some questions as HTML; each breaks between its parts and nowhere else.
  TS.lines = (questions) =>
    `<p>The same on the command line:</p>${questions.map(command).map(block("command")).join("")}` +
    "<p>The same in Python:</p>" +
    [["import teacherstudent as ts"], ...questions.map(python)].map(block("python")).join("");
})();
