// Teaching material of a page: a first question, and an exercise in code that marks itself.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});

  const NAMES = ["first", "second", "third"];

  // After a choice the page shows whether it is right, and why, if it has the solutions.
  function thinkFirst(form) {
    if (!form.dataset.right) return;
    form.addEventListener("change", () => {
      const right = form.elements.answer.value === form.dataset.right;
      form.querySelector("[role=status]").textContent = right ? "Right." : "Not right. Read why, then try it below.";
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
        .map((probe, i) => ({ ...probe, name: NAMES[i], value: Number(typed[i]) }))
        .filter((_, i) => typed[i]);
      const status = form.querySelector("[role=status]");
      if (!given.length) status.textContent = "";
      else if (given.some((each) => Number.isNaN(each.value))) status.textContent = "Type numbers.";
      else if (given.every((each) => agree(each.value, each.right, 3))) {
        const left = probes.length - given.length;
        status.textContent = left ? `Right so far. Values still missing: ${left}.` : "Right.";
      } else {
        const made = says.filter((_, k) => given.every((each) => agree(each.value, each.wrong[k], 3)));
        const hint = made.length === 1 ? made : []; // few values may fit several mistakes
        status.textContent = [...judged(given, hint.length > 0), ...hint].join(" ");
      }
    });
  }

  // Whether a value is right to so many digits; the last may differ by one.
  function agree(value, exact, digits) {
    const unit = exact ? 10 ** (Math.floor(Math.log10(Math.abs(exact))) - digits + 1) : 0;
    return Math.abs(value - exact) <= unit;
  }

  // Which values are wrong, right, and almost right, in words; values of a known mistake are never almost right.
  function judged(given, known) {
    const kind = ({ value, right }) =>
      agree(value, right, 3) ? "right" : !known && agree(value, right, 2) ? "almost" : "wrong";
    const [wrong, right, almost] = ["wrong", "right", "almost"].map((each) =>
      given.filter((one) => kind(one) === each).map(({ name }) => name),
    );
    const listed = (names) => new Intl.ListFormat("en").format(names);
    const values = (names) => `The ${listed(names)} ${names.length > 1 ? "values are" : "value is"}`;
    const rest = right.length ? `; the ${listed(right)} ${right.length > 1 ? "are" : "is"}` : "";
    const says = wrong.length ? [`${values(wrong)} not right${rest}.`] : [];
    return almost.length ? [...says, `${values(almost)} almost right: the first three digits must be right.`] : says;
  }

  TS.teaching = { thinkFirst, codeExercise };
})();
