// What the page does for the workbench: work between frames, files, what is said when nothing can be drawn.
// docs/web.md says how it works.

// How long a piece of work may go on before others, and the next frame, have their turn.
const SLICE_MS = 6;
// Pieces of work under way at a time. Others wait.
const PIECES_MAX = 8;
const STACK_BYTES = 1 << 20;
// Where a suspended piece of work keeps its variables.
const SAVED_BYTES = 1 << 18;
const CANARY = 0x5ca1ab1e;
// Larger files are not read: a map of 16,384 cells a side would take 268 MB, and a browser's memory is small.
const FILE_BYTES_MAX = 64 << 20;

const NORMAL = 0, UNWINDING = 1, REWINDING = 2;

let wasm = null; // what the module exports, with what wasm-opt has added
let page = null; // the same by names of wasm-bindgen
let unstarted = 0;
let pieces = [];
let spare = [];
let current = null;
let sliceEnd = 0;
let isDue = false;

const channel = new MessageChannel();
channel.port1.onmessage = () => { isDue = false; runSlice(); };

function schedule() {
  if (!isDue && wasm) {
    isDue = true;
    channel.port2.postMessage(0);
  }
}

function newPiece() {
  const known = spare.pop();
  const stack = known ? known.stack : page.take_memory(STACK_BYTES + SAVED_BYTES);
  const saved = stack + STACK_BYTES;
  const words = new DataView(wasm.memory.buffer);
  words.setUint32(stack, CANARY, true);
  words.setUint32(saved + 4, saved + SAVED_BYTES, true);
  return { stack, saved, top: stack + STACK_BYTES, isSuspended: false, sleeps: false };
}

// Runs the piece whose turn it is until it is done or suspended.
function runSlice() {
  let piece = pieces.find((piece) => !piece.sleeps);
  if (unstarted > 0 && pieces.length < PIECES_MAX) {
    unstarted -= 1;
    piece = newPiece();
    pieces.push(piece);
  }
  if (!piece) return;
  pieces = pieces.filter((other) => other !== piece);
  const mainStack = wasm.__stack_pointer.value;
  wasm.__stack_pointer.value = piece.top;
  current = piece;
  sliceEnd = performance.now() + SLICE_MS;
  if (piece.isSuspended) wasm.asyncify_start_rewind(piece.saved);
  page.run_next();
  piece.isSuspended = wasm.asyncify_get_state() === UNWINDING;
  if (piece.isSuspended) wasm.asyncify_stop_unwind();
  piece.top = piece.isSuspended ? wasm.__stack_pointer.value : 0;
  current = null;
  wasm.__stack_pointer.value = mainStack;
  const tookMs = performance.now() - sliceEnd + SLICE_MS;
  globalThis.highroadLongestSliceMs = Math.max(globalThis.highroadLongestSliceMs ?? 0, tookMs);
  if (new DataView(wasm.memory.buffer).getUint32(piece.stack, true) !== CANARY) {
    throw new Error("a piece of work has used up its stack");
  }
  if (piece.isSuspended) pieces.push(piece);
  else spare.push(piece);
  if (unstarted > 0 || pieces.some((piece) => !piece.sleeps)) schedule();
}

let answered = null;
let asking = null;

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

function wake() {
  for (const piece of pieces) piece.sleeps = false;
  schedule();
}

globalThis.highroadHost = {
  begin() {
    unstarted += 1;
    schedule();
  },

  suspend(sleeps) {
    if (!current) return;
    if (wasm.asyncify_get_state() === REWINDING) {
      wasm.asyncify_stop_rewind();
      return;
    }
    if (!sleeps && performance.now() < sliceEnd) return;
    current.sleeps = sleeps;
    new DataView(wasm.memory.buffer).setUint32(current.saved, current.saved + 8, true);
    wasm.asyncify_start_unwind(current.saved);
  },

  ask(endings) {
    answered = null;
    asking?.remove();
    const input = document.createElement("input");
    asking = input;
    input.type = "file";
    input.multiple = true;
    input.accept = endings;
    input.style.display = "none";
    input.onchange = async () => { answered = await takeFiles(input.files); input.remove(); wake(); };
    input.oncancel = () => { answered = ""; input.remove(); wake(); };
    document.body.append(input);
    input.click();
  },

  answer() {
    return answered ?? undefined;
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

// Connects the host with the module. `exports` are those of the module itself, `names` those of wasm-bindgen.
export function connect(exports, names) {
  wasm = exports;
  page = names;
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
  window.dispatchEvent(new Event("resize"));
  document.querySelector("canvas")?.dispatchEvent(new PointerEvent("pointermove", { bubbles: true }));
}
