// Teaching material of a page: a first question, and an exercise in code that marks itself.
// needs: page/language.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});

  // After a choice the page shows whether it is right, and why, if it has the solutions.
  function thinkFirst(form) {
    if (!form.dataset.right) return;
    form.addEventListener("change", () => {
      const right = form.elements.answer.value === form.dataset.right;
      const said = right ? TS.sayText("Right.") : TS.sayText("Not right. Read why, then try it below.");
      form.querySelector("[role=status]").textContent = said;
      form.querySelector(".because").hidden = false;
    });
  }

  // Values of the reader's function are compared with the solution's and with those of typical mistakes.
  function codeExercise(form) {
    const { probes, says } = JSON.parse(form.dataset.probes);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", () => {
      const typed = probes.map((_, i) => form.elements[`probe${i}`].value.trim().replace(",", "."));
      const given = probes
        .map((probe, i) => ({ ...probe, number: i + 1, value: Number(typed[i]) }))
        .filter((_, i) => typed[i]);
      const status = form.querySelector("[role=status]");
      if (!given.length) status.textContent = "";
      else if (given.some((each) => Number.isNaN(each.value))) status.textContent = TS.sayText("Type numbers.");
      else if (given.every((each) => agree(each.value, each.right, 3))) {
        const left = probes.length - given.length;
        status.textContent = left ? TS.sayText(`Right so far. Values still missing: ${left}.`) : TS.sayText("Right.");
      } else {
        const made = says.filter((_, k) => given.every((each) => agree(each.value, each.wrong[k], 3)));
        const hint = made.length === 1 ? made : []; // few values may fit several mistakes
        status.textContent = [...judged(given, hint.length > 0), ...hint.map(TS.sayText)].join(" ");
      }
    });
  }

  // Whether a value is right to this number of digits; the last digit may differ by one.
  function agree(value, exact, digits) {
    const unit = exact ? 10 ** (Math.floor(Math.log10(Math.abs(exact))) - digits + 1) : 0;
    return Math.abs(value - exact) <= unit;
  }

  // What is to be said of each value; values of a known mistake are never almost right.
  function judged(given, known) {
    return given.map(({ value, right, number }) => {
      if (agree(value, right, 3)) return TS.sayText(`Value ${number} is right.`);
      if (known || !agree(value, right, 2)) return TS.sayText(`Value ${number} is not right.`);
      return TS.sayText(`Value ${number} is almost right: the first three digits must be right.`);
    });
  }

  TS.teaching = { thinkFirst, codeExercise };
})();
