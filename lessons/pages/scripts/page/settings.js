// The settings of a page: its controls, and its address, which holds those that were moved.
"use strict";
(() => {
  const TS = (globalThis.TS ??= {});

  // The controls: {name: {label, values, value, kind}}; a slider's values are its steps, a choice's its words.
  class Settings {
    constructor(controls) {
      this.controls = controls;
      this.at = Object.fromEntries(Object.entries(controls).map(([name, each]) => [name, each.value]));
      this.inVain = [];
    }

    // Set what is offered; of a slider the nearest step. What was asked for in vain is kept, to be told.
    set(wishes) {
      this.inVain = [];
      for (const [name, said] of Object.entries(wishes)) {
        if (!Object.hasOwn(this.controls, name)) continue; // an address may ask for anything
        const control = this.controls[name];
        const value = control.kind === "choice" ? said : nearest(control.values, said === "" ? NaN : Number(said));
        if (!control.values.includes(value)) this.inVain.push(`${name}=${said}`);
        else {
          if (control.kind !== "choice" && value !== Number(said)) this.inVain.push(`${name}=${said}`);
          this.at[name] = value;
        }
      }
    }

    // Those that were moved, as they follow the address.
    address() {
      const moved = Object.entries(this.at).filter(([name, value]) => value !== this.controls[name].value);
      return String(new URLSearchParams(moved));
    }

    // Whether the controls in `names` are at the settings `at`.
    are(at, names) {
      return Object.entries(at).every(([name, value]) => !names.includes(name) || this.at[name] === value);
    }

    // Whether one is nowhere but at its start, in words: `κ = 10`.
    differing(at) {
      return Object.entries(at)
        .filter(([name, value]) => name in this.controls && value !== this.controls[name].value)
        .map(([name, value]) => told(this.controls[name], value))
        .join(", ");
    }
  }

  const nearest = (values, wanted) =>
    Number.isFinite(wanted)
      ? values.reduce((best, each) => (Math.abs(each - wanted) < Math.abs(best - wanted) ? each : best))
      : NaN;

  // A value of a control in short: of a choice what it offers, up to a comma or bracket.
  const told = (control, value) =>
    control.kind === "choice"
      ? control.words[control.values.indexOf(value)].split(/,| \(/)[0]
      : `${symbol(control.label)} = ${value}`;

  // The symbol in a label such as `ratio of strengths κ [1]`; all of a label without one.
  const symbol = (label) => /(\S+)\s*\[[^\]]*\]\s*$/.exec(label)?.[1] ?? label;

  TS.Settings = Settings;
})();
