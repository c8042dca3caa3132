(() => {
  "use strict";
  const section = document.querySelector(".labelling");
  const who = document.getElementById("annotator");
  const progress = document.getElementById("progress");
  const marks = [...document.querySelectorAll(".mark")];
  const folded = (mark) => { const rest = mark.closest("details.rest"); return rest && !rest.open; };
  const run = section.dataset.run;
  const csrf = document.querySelector('meta[name="csrf"]').content;
  let at = -1;

  const shown = (mark, value) => {
    const said = value === undefined ? "" : value === null ? "unsure" : mark.dataset.yesNo
      ? (value === (mark.dataset.value === "1") ? "agree" : "disagree")
      : (mark.dataset.value && Math.abs(value - Number(mark.dataset.value)) < 1e-9 ? "agree" : "disagree");
    for (const button of mark.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.say === said));
    const field = mark.querySelector(".value");
    if (field) field.value = typeof value === "number" ? value : "";
    mark.dataset.said = said;
  };
  let most = 0; // answers may arrive in another order than labels were given
  const count = (total) => {
    most = Math.max(most, total);
    progress.textContent = section.dataset.saved.replace("{count}", most);
  };
  const load = async () => {
    for (const mark of marks) shown(mark, undefined);
    progress.textContent = "";
    most = 0;
    if (!who.value.trim() || !who.checkValidity()) return;
    const asked = await fetch("/label?" + new URLSearchParams({ run, annotator: who.value.trim() }));
    if (!asked.ok) { progress.textContent = await asked.text(); return; }
    const found = await asked.json();
    for (const label of found.labels) {
      const mark = marks.find((one) => one.dataset.measure === label.measure
        && one.closest(".marks").dataset.dialog === label.dialog_id
        && Number(one.closest(".marks").dataset.turn) === label.turn_pair_id);
      if (mark) shown(mark, label.value);
    }
    count(found.total);
    if (found.problems.length) progress.textContent += " ⚠ " + found.problems.join(", ");
  };
  const save = async (mark, value) => {
    if (!who.value.trim() || !who.reportValidity()) { who.focus(); return; }
    const turn = mark.closest(".marks").dataset;
    const body = { run, annotator: who.value.trim(), dialog_id: turn.dialog, turn_pair_id: Number(turn.turn),
      measure: mark.dataset.measure, value, fingerprint: turn.fingerprint,
      note: mark.closest(".marks").querySelector(".reason").value.trim() };
    const before = mark.dataset.said;
    shown(mark, value);
    try {
      const answer = await fetch("/label", { method: "POST", headers: { "Content-Type": "application/json", "X-Turnmark-CSRF": csrf }, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
      count((await answer.json()).total);
      mark.querySelector("output").textContent = "";
    } catch (error) {
      mark.dataset.said = before;
      for (const button of mark.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.say === before));
      mark.querySelector("output").textContent = section.dataset.failed + " " + error.message;
    }
  };
  const say = (mark, what) => {
    const value = mark.dataset.yesNo ? mark.dataset.value === "1" : Number(mark.dataset.value);
    if (what === "agree" && mark.dataset.value) return save(mark, value);
    if (what === "unsure") return save(mark, null);
    if (mark.dataset.yesNo) return save(mark, !value);
    return mark.querySelector(".value").focus();
  };
  const go = (step) => {
    if (!marks.length) return;
    let next = at + step;
    while (next >= 0 && next < marks.length && folded(marks[next])) next += step;
    if (next < 0 || next >= marks.length) return;
    at = next;
    marks[at].focus();
    marks[at].scrollIntoView({ block: "center" });
  };
  for (const [place, mark] of marks.entries()) {
    mark.addEventListener("focusin", () => { at = place; });
    for (const button of mark.querySelectorAll("button")) button.addEventListener("click", () => say(mark, button.dataset.say));
    const field = mark.querySelector(".value");
    if (field) field.addEventListener("change", () => { if (field.value !== "" && field.checkValidity()) save(mark, Number(field.value)); });
  }
  const post = async (path, body) => {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "X-Turnmark-CSRF": csrf }, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };
  const noting = [...document.querySelectorAll(".noting")];
  const remember = () => {
    for (const one of noting) {
      const own = [...one.closest(".marks").querySelectorAll(".note")].find((note) => note.dataset.by === who.value.trim());
      one.querySelector(".star").setAttribute("aria-pressed", String(Boolean(own && own.dataset.star)));
      one.querySelector(".comment").value = own ? own.dataset.comment : "";
    }
  };
  const keep = async (one) => {
    if (!who.value.trim() || !who.reportValidity()) { who.focus(); return; }
    const turn = one.closest(".marks").dataset;
    const said = one.querySelector("output");
    try {
      await post("/note", { run, annotator: who.value.trim(), dialog_id: turn.dialog, turn_pair_id: Number(turn.turn),
        star: one.querySelector(".star").getAttribute("aria-pressed") === "true", comment: one.querySelector(".comment").value.trim() });
      said.textContent = section.dataset.kept;
    } catch (error) {
      said.textContent = section.dataset.failed + " " + error.message;
    }
  };
  const star = (one) => {
    const button = one.querySelector(".star");
    if (!who.value.trim() || !who.checkValidity()) { who.focus(); return; }
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    keep(one);
  };
  for (const one of noting) {
    one.querySelector(".star").addEventListener("click", () => star(one));
    one.querySelector(".comment").addEventListener("change", () => keep(one));
  }
  for (const form of document.querySelectorAll(".override-form")) {
    form.querySelector(".override-save").addEventListener("click", async () => {
      const reason = form.querySelector(".override-reason");
      if (!who.value.trim() || !who.reportValidity()) { who.focus(); return; }
      if (!reason.value.trim()) { reason.value = ""; reason.reportValidity(); return; }
      const turn = form.closest(".marks").dataset;
      const chosen = form.querySelector(".override-mark").selectedOptions[0].dataset;
      const today = new Date();
      const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
      const said = form.querySelector("output");
      try {
        await post("/override", { run, reviewer: who.value.trim(), dialog_id: turn.dialog, turn_pair_id: Number(turn.turn), metric: chosen.metric,
          label: chosen.label, marked: JSON.parse(chosen.marked), reason: reason.value.trim(), date, fingerprint: turn.fingerprint });
        said.textContent = section.dataset.written;
        reason.value = "";
      } catch (error) {
        said.textContent = section.dataset.failed + " " + error.message;
      }
    });
  }
  const here = () => (at >= 0 ? marks[at].closest(".marks") : document.querySelector(".marks")).querySelector(".noting");
  const turnPage = (rel) => { const link = document.querySelector(`a[rel="${rel}"]`); if (link) location.href = link.href; };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const act = { j: () => go(1), k: () => go(-1), a: () => at >= 0 && say(marks[at], "agree"),
      d: () => at >= 0 && say(marks[at], "disagree"), u: () => at >= 0 && say(marks[at], "unsure"),
      s: () => star(here()), c: () => here().querySelector(".comment").focus(), n: () => turnPage("next"), p: () => turnPage("prev") }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  who.value = localStorage.getItem("turnmark.annotator") || "";
  who.addEventListener("change", () => { localStorage.setItem("turnmark.annotator", who.value.trim()); remember(); load(); });
  remember();
  load();
})();
