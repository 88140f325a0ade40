// For the catalogue of strings: all that a page says while each of its controls takes all its values.
"use strict";
(() => {
  const TS = globalThis.TS;
  const heard = new Set();
  TS.heard = (asked) => heard.add(asked);
  const { controls, drawn } = JSON.parse(document.getElementById("told").textContent);
  const start = Object.fromEntries(Object.entries(controls).map(([name, each]) => [name, each.value]));

  function listen(at) {
    try {
      const { pictures, words } = TS.shown(at);
      for (const each of [...pictures.map(TS.figure), ...words]) TS.say(each);
    } catch (error) {
      if (!(error instanceof TS.NoAnswer)) throw error;
    }
  }

  listen(start);
  for (const [name, { values }] of Object.entries(controls)) {
    for (const value of values) listen({ ...start, [name]: value });
  }
  for (const { at, pictures, more, verdicts, words } of drawn) {
    listen(at);
    const simulated = TS.shown(at).pictures.map((each, i) => TS.withSimulation(each, pictures[i]));
    const added = Object.values(more).flat().map(TS.revived);
    for (const each of [...simulated, ...added].map(TS.figure)) TS.say(each);
    for (const each of [...verdicts, ...Object.values(words)]) TS.say(each);
  }
  const note = document.createElement("script");
  note.type = "application/json";
  note.id = "heard";
  note.textContent = JSON.stringify([...heard]).replaceAll("<", "\\u003c");
  document.body.append(note);
})();
