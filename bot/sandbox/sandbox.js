// What the sandbox adds to the simulator's page: who looks reads this language, and looks at this place.
// Both go with the simulator's own wish to look as somebody, and come with its own account of the page.
const viewer = document.querySelector("#viewer-picker");
const language = document.querySelector("#language-picker");
const place = document.querySelector("#place-picker");

let wanted = {};
function want(choice) {
  Object.assign(wanted, choice);
  viewer.dispatchEvent(new Event("change"));
}
language.addEventListener("change", () => want({ language: language.value }));
place.addEventListener("change", () => want({ place: place.value }));

function offer(picker, choices, chosen) {
  const said = JSON.stringify([choices, chosen]);
  if (picker.dataset.said === said) return;
  picker.dataset.said = said;
  picker.replaceChildren(...choices.map(([value, label]) => new Option(label, value, false, value === chosen)));
}

let first = true;
function show({ sandbox, viewerId }) {
  offer(language, sandbox.languages, sandbox.language);
  offer(place, sandbox.places, sandbox.place);
  if (first && viewer.value === viewerId) {
    first = false;
    const spoken = navigator.languages.find((tag) => sandbox.languages.some(([value]) => value === tag));
    if (spoken && spoken !== sandbox.language) want({ language: spoken });
  }
}

const ask = window.fetch;
window.fetch = async (path, how) => {
  const body = path === "/api/action" && typeof how?.body === "string" ? JSON.parse(how.body) : null;
  if (body?.kind === "viewer") {
    how = { ...how, body: JSON.stringify({ ...body, ...wanted }) };
    wanted = {};
  }
  const response = await ask(path, how);
  if (response.ok && (path === "/api/state" || path === "/api/pages")) response.clone().json().then(show);
  return response;
};
