// What the page does for the workbench: work between frames, files, what is said when nothing can be drawn.
// docs/web.md says how it works.

// Larger files are not read: a map of 16,384 cells a side would take 268 MB, and a browser's memory is small.
const FILE_BYTES_MAX = 64 << 20;

let page = null; // what the module exports
let waiting = 0;
let isDue = false;

// A message, unlike a timer, comes at once, and lets frames be drawn before it.
const channel = new MessageChannel();
channel.port1.onmessage = () => { isDue = false; runNext(); };

function schedule() {
  if (!isDue && page && waiting > 0) {
    isDue = true;
    channel.port2.postMessage(0);
  }
}

// Runs the piece of work whose turn it is, to its end.
function runNext() {
  const begun = performance.now();
  waiting -= 1;
  page.run_next();
  const tookMs = performance.now() - begun;
  globalThis.highroadLongestWorkMs = Math.max(globalThis.highroadLongestWorkMs ?? 0, tookMs);
  schedule();
}

// Hands files over; the first one that is not the shape of another one's ground is opened by whoever asked.
async function takeFiles(files) {
  const names = [];
  for (const file of files) {
    names.push(file.name);
    if (file.size > FILE_BYTES_MAX) {
      const megabytes = (bytes) => Math.round(bytes / (1 << 20));
      page.refuse_file(file.name, `it has ${megabytes(file.size)} MB, and the page reads files of up to ` +
        `${megabytes(FILE_BYTES_MAX)} MB; the program for the desktop reads larger ones`);
      continue;
    }
    try {
      page.put_file(file.name, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      page.refuse_file(file.name, `the browser does not read it (${error.message})`);
    }
  }
  return names.find((name) => !name.endsWith(".ground.toml") && !name.endsWith(".heights.png")) ?? names[0] ?? "";
}

globalThis.highroadHost = {
  begin() {
    waiting += 1;
    schedule();
  },

  ask(endings) {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = true;
    input.accept = endings;
    input.style.display = "none";
    input.onchange = async () => {
      const name = await takeFiles(input.files);
      input.remove();
      if (name) page.open_file(name);
      redraw();
    };
    input.oncancel = () => input.remove();
    document.body.append(input);
    input.click();
  },

  save(name, bytes) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },

  report(text) {
    const state = JSON.parse(text);
    globalThis.highroadState = state;
    globalThis.highroadLongestMs = Math.max(globalThis.highroadLongestMs ?? 0, state.updateMs);
  },
};

// Connects the host with the module.
export function connect(names) {
  page = names;
  schedule();
  for (const name of ["dragenter", "dragover"]) {
    window.addEventListener(name, (event) => event.preventDefault());
  }
  window.addEventListener("drop", async (event) => {
    event.preventDefault();
    event.stopPropagation();
    const name = await takeFiles(event.dataTransfer?.files ?? []);
    if (name) page.open_file(name);
    redraw();
  }, { capture: true });
  window.addEventListener("hashchange", () => {
    if (location.hash.length > 1) page.open_link(location.hash);
    redraw();
  });
}

// Frames are drawn when something moves: so something moves.
function redraw() {
  const canvas = document.querySelector("canvas");
  canvas?.dispatchEvent(new MouseEvent("mousemove", { bubbles: true, clientX: 600, clientY: 400 }));
}
