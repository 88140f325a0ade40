// Teaching material of a page: a first question, and an exercise in code that marks itself.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});

  // After a choice the page shows whether it is right, and why.
  function thinkFirst(form) {
    form.addEventListener("change", () => {
      const right = form.elements.answer.value === form.dataset.right;
      form.querySelector("[role=status]").textContent = right ? "Right." : "Not right. Read why, then try it below.";
      form.querySelector(".because").hidden = false;
    });
  }

  // Values of the reader's function are compared with the solution's and with those of typical mistakes.
  function codeExercise(form) {
    const { probes, accuracy, says } = JSON.parse(form.dataset.probes);
    const same = (one, other) => Math.abs(one - other) <= accuracy * Math.abs(other);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", () => {
      const typed = probes.map((_, i) => form.elements[`probe${i}`].value.trim());
      const given = probes.map((probe, i) => ({ ...probe, value: Number(typed[i]) })).filter((_, i) => typed[i]);
      const status = form.querySelector("[role=status]");
      if (!given.length) status.textContent = "";
      else if (given.some((each) => Number.isNaN(each.value))) status.textContent = "Type numbers.";
      else if (given.every((each) => same(each.value, each.right))) {
        const left = probes.length - given.length;
        status.textContent = left ? `Right so far. Values still missing: ${left}.` : "Right.";
      } else {
        const made = says.findIndex((_, k) => given.every((each) => same(each.value, each.wrong[k])));
        const precise = `Values must agree to a relative accuracy of ${accuracy}: type all their digits.`;
        status.textContent = `Not right. ${made < 0 ? precise : says[made]}`.trim();
      }
    });
  }

  TS.teaching = { thinkFirst, codeExercise };
})();
