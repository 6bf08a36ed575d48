// Adds menus for language, place and time to the simulator's page.
// The choices are sent with the simulator's own request for a viewer, and arrive with its own snapshot of the page.
const viewer = document.querySelector("#viewer-picker");
const language = document.querySelector("#language-picker");
const place = document.querySelector("#place-picker");
const time = document.querySelector("#time-picker");
const timeline = document.querySelector("#channel-timeline");

let wanted = {};
function want(choice) {
  Object.assign(wanted, choice);
  viewer.dispatchEvent(new Event("change"));
}
language.addEventListener("change", () => want({ language: language.value }));
place.addEventListener("change", () => want({ place: place.value }));
time.addEventListener("change", () => want({ later: time.value }));

function offer(picker, choices, chosen) {
  const said = JSON.stringify([choices, chosen]);
  if (picker.dataset.said === said) return;
  picker.dataset.said = said;
  picker.replaceChildren(...choices.map(([value, label]) => new Option(label, value, false, value === chosen)));
}

// As on Discord, the view begins at the latest message and stays there.
function begin() {
  if (!window.simcordPreview?.ready) setTimeout(begin, 50);
  else timeline.scrollTop = timeline.scrollHeight;
}

let first = true;
let looked = "";
function show({ sandbox, viewerId }) {
  const looking = `${viewerId} ${sandbox.place}`;
  if (looking !== looked) begin();
  looked = looking;
  offer(language, sandbox.languages, sandbox.language);
  offer(place, sandbox.places, sandbox.place);
  offer(time, sandbox.times, "now");
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
  if (response.ok && (path === "/api/state" || path === "/api/pages")) show(await response.clone().json());
  return response;
};

// A picture stays until its successor is drawn: SimCord redraws a message at each change.
const list = document.querySelector("#channel-message-list");
const inside = (node) => (node instanceof Element ? [...node.querySelectorAll("img")] : []);
const alike = (one, other) => one.className === other.className
  && (one.classList.contains("gallery-image") || one.alt === other.alt);

function stand(former, image) {
  const part = () => { former.remove(); image.style.display = ""; };
  former.alt = "";
  image.style.display = "none";
  image.before(former);
  image.addEventListener("load", () => image.decode().then(part, part), { once: true });
}

new MutationObserver((changes) => {
  const former = new Map();
  for (const { target, removedNodes } of changes) {
    const message = target.closest("article");
    const drawn = [...removedNodes].flatMap(inside).filter((image) => image.naturalWidth);
    if (message && drawn.length) former.set(message, [...(former.get(message) ?? []), ...drawn]);
  }
  for (const [message, drawn] of former) {
    for (const image of inside(message).filter((it) => !it.naturalWidth)) {
      const at = drawn.findIndex((it) => alike(it, image));
      if (at >= 0) stand(...drawn.splice(at, 1), image);
    }
  }
}).observe(list, { childList: true, subtree: true });
