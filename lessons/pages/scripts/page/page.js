// A page that moves: controls, theory computed here, pictures, and simulations drawn beforehand.
// needs: page/charts.js page/settings.js page/teaching.js page/values.js
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});
  const told = JSON.parse(document.getElementById("told").textContent);
  TS.given = told.given;

  // Settings for which theory has no answer; the message says why.
  TS.NoAnswer = class extends Error {};

  const all = (selector) => [...document.querySelectorAll(selector)];

  // Make a page move. compute: theory at the settings; pictures and words: all of the page, in its order, from both.
  // simulated: whether simulations are shown from the start. moved: called after each redraw.
  TS.page = ({ compute, pictures, words = () => [], simulated = false, moved = () => {} }) => {
    const settings = new TS.Settings(told.controls);
    let asked = simulated;
    let it = null;

    // What is drawn at settings, without simulation: for the tests that hold it to the notebook.
    TS.shown = (at) => {
      const answer = compute(at);
      return { pictures: pictures(at, answer), words: words(at, answer) };
    };

    const drawnHere = () => (asked ? told.drawn.find((each) => settings.are(each.at, told.free)) : undefined);

    function redraw() {
      const { at } = settings;
      let made = null;
      let written = null;
      try {
        it = compute(at);
        made = pictures(at, it);
        written = words(at, it);
      } catch (error) {
        tell(`These settings have no answer: ${error.message}.`);
        document.body.classList.add("unanswered"); // what is drawn still is of other settings
        if (!(error instanceof TS.NoAnswer)) throw error;
        return;
      }
      document.body.classList.remove("unanswered");
      tell(settings.inVain.map((each) => `The address asks for ${each}, which is not available.`).join(" "));
      const drawn = drawnHere();
      all("[data-picture]").forEach((place) => {
        const i = Number(place.dataset.picture);
        place.innerHTML = TS.figure(drawn ? withSimulation(made[i], drawn.pictures[i]) : made[i]);
      });
      all("[data-more]").forEach((place) => {
        place.innerHTML = (drawn?.more[place.dataset.more] ?? []).map(revived).map(TS.figure).join("");
      });
      const same = drawn && settings.are(drawn.at);
      all("[data-words]").forEach((place) => {
        const i = Number(place.dataset.words);
        place.innerHTML = (same && drawn.words[i]) || written[i];
      });
      all("[data-verdict]").forEach((place) => {
        place.innerHTML = drawn?.verdicts[Number(place.dataset.verdict)] ?? place.dataset.none;
      });
      all(".drawn button").forEach((button, k) => {
        button.setAttribute("aria-pressed", String(told.drawn[k] === drawn));
      });
      moved({ settings, it, made, drawn, redraw: change });
    }

    function tell(message) {
      all(".told").forEach((place) => (place.textContent = message));
    }

    // A browser translates what it runs often: have the first answers before anything is moved.
    function warm() {
      try {
        TS.shown(settings.at);
      } catch (error) {
        if (!(error instanceof TS.NoAnswer)) throw error;
      }
    }

    let waiting = 0;
    let noting = 0;
    // Draw again soon, once for all that changes until then; and keep the address.
    function change(wishes) {
      settings.set(wishes);
      show();
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(redraw);
      clearTimeout(noting);
      noting = setTimeout(() => history.replaceState(null, "", `#${settings.address()}`), 150);
    }

    // The controls stand where the settings are.
    function show() {
      for (const [name, value] of Object.entries(settings.at)) {
        const control = told.controls[name];
        const inputs = all(`[name="${name}"]`);
        if (control.kind === "choice") inputs.forEach((each) => (each.checked = each.value === value));
        else {
          inputs.forEach((each) => {
            each.value = String(control.values.indexOf(value));
            each.setAttribute("aria-valuetext", control.words[control.values.indexOf(value)]);
          });
          all(`output[for="${name}"]`).forEach((each) => {
            each.textContent = control.words[control.values.indexOf(value)];
          });
        }
      }
    }

    for (const [name, control] of Object.entries(told.controls)) {
      all(`[name="${name}"]`).forEach((input) =>
        input.addEventListener("input", () =>
          change({ [name]: control.kind === "choice" ? input.value : control.values[Number(input.value)] }),
        ),
      );
    }
    all(".drawn button").forEach((button, i) => {
      const here = told.drawn[i];
      button.textContent = settings.differing(here.at) || "first settings";
      button.addEventListener("click", () => {
        asked = true;
        change(here.at);
      });
    });
    const wished = () => change(Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
    addEventListener("hashchange", () => {
      settings.set(Object.fromEntries(Object.entries(told.controls).map(([name, each]) => [name, each.value])));
      wished();
    });
    if (location.hash.length > 1) wished();
    else if (simulated) change({});
    else setTimeout(warm, 300);
  };

  // A picture with the marks of a simulation, in its panels and in panels of their own.
  function withSimulation(made, extra) {
    const isPoint = ({ kind, y }) => kind === "now" && y !== null; // it lies on what was drawn, and is dragged
    const panels = made.panels.map((one, k) => ({
      ...one,
      marks: [
        ...one.marks.filter((mark) => !isPoint(mark)),
        ...(extra[k]?.marks ?? []).map(looked),
        ...one.marks.filter(isPoint),
      ],
    }));
    return { ...made, panels: [...panels, ...extra.slice(made.panels.length).map(revivedPanel)] };
  }

  TS.withSimulation = withSimulation; // slides draw with it too

  const looked = (mark) => (typeof mark.look === "number" ? { ...mark, look: TS.LOOKS[mark.look] } : mark);
  const revivedPanel = (one) => ({ ...one, marks: one.marks.map(looked) });
  const revived = (made) => ({ ...made, panels: made.panels.map(revivedPanel) });

  all("form.think-first").forEach(TS.teaching.thinkFirst);
  all("form.code-exercise").forEach(TS.teaching.codeExercise);
  all("button.full-screen").forEach((button) => {
    button.hidden = !document.fullscreenEnabled; // as on some telephones
    button.addEventListener("click", () =>
      document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
    );
  });
  all("button.copy-link").forEach((button) => {
    const name = button.textContent;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(location.href);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Copy the link from the address bar"; // the clipboard is shut where a page comes by http
      }
    });
    addEventListener("input", () => (button.textContent = name)); // the link is another now
  });
})();
