// The slider of the timeline: while it is moved, the list below follows. Without this the button shows the chosen day.
"use strict";

const WAIT_MS = 200;

function follow(form) {
  const list = document.querySelector(form.dataset.live);
  const slider = form.querySelector("input[type=range]");
  const chosen = form.querySelector("output");
  let timer, asked;

  function tell() {
    const day = new Date(Date.UTC(1, 0, 1));
    day.setUTCFullYear(1);
    day.setUTCDate(day.getUTCDate() + Number(slider.value) - 1);
    const words = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).format(day);
    const today = slider.value === slider.max ? " (today)" : "";
    chosen.textContent = words + today;
    slider.setAttribute("aria-valuetext", words + today);
  }

  async function show() {
    asked?.abort();
    asked = new AbortController();
    const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    list.classList.add("waiting");
    try {
      const answer = await fetch(address, { signal: asked.signal });
      if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      list.replaceChildren(...page.querySelector(form.dataset.live).childNodes);
      history.replaceState(null, "", address);
      list.classList.remove("waiting");
    } catch (error) {
      // The page itself says what is wrong.
      if (error.name !== "AbortError") form.submit();
    }
  }

  slider.addEventListener("input", () => {
    tell();
    clearTimeout(timer);
    timer = setTimeout(show, WAIT_MS);
  });
}

for (const form of document.querySelectorAll("form[data-live]")) follow(form);
