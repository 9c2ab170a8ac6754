// The page in a real browser. Usage: node browser.mjs PAGE_FOLDER NPM_FOLDER [SCREENSHOT_FOLDER]
//
// It needs playwright-core, and Chromium at /usr/bin/chromium or where CHROMIUM points. `.ci/web` installs both.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { existsSync } from "node:fs";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, normalize } from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

// From the folder that .ci/web installs it into.
const { chromium } = createRequire(join(process.cwd(), "node_modules/"))("playwright-core");

const [folder, npmFolder, pictures] = process.argv.slice(2);
// Under a sub-path, and without any header but the kind: as any server would serve it.
const ROOT = "/some/where/";
const KINDS = {
  html: "text/html", js: "text/javascript", mjs: "text/javascript", bin: "application/octet-stream", wasm: "application/wasm",
};
// The page, and for the package's tests in the browser the package and the tests.
const npmTests = fileURLToPath(new URL("../../npm/tests/", import.meta.url));
function fileOf(name) {
  if (name.startsWith("npm-tests/")) return join(npmTests, name.slice("npm-tests/".length));
  if (name.startsWith("npm/")) return join(npmFolder, name.slice("npm/".length));
  return join(folder, name);
}
const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  const name = normalize(path.slice(ROOT.length) || "index.html");
  try {
    if (!path.startsWith(ROOT) || name.startsWith("..")) throw new Error("outside");
    const bytes = await readFile(fileOf(name));
    response.writeHead(200, { "Content-Type": KINDS[name.split(".").pop()] ?? "text/plain" });
    response.end(bytes);
  } catch {
    response.writeHead(404);
    response.end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const origin = `http://127.0.0.1:${server.address().port}`;
const address = `${origin}${ROOT}`;

const work = await mkdtemp(join(tmpdir(), "highroad-web-"));
const browser = await chromium.launchPersistentContext(join(work, "profile"), {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  viewport: { width: 1280, height: 800 },
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader"],
});
await browser.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
const troubles = [];

async function newPage({ query = "?test", hash = "", prepare, size } = {}) {
  const page = await browser.newPage();
  if (size) await page.setViewportSize(size);
  // Chromium itself warns of slow reads of pixels by screenshots.
  page.on("console", (line) => { if (line.type() === "error") troubles.push(line.text()); });
  page.on("pageerror", (error) => troubles.push(String(error)));
  if (prepare) await page.addInitScript(prepare);
  await page.goto(address + query + hash);
  return page;
}
const state = (page) => page.evaluate(() => globalThis.highroadState);
async function until(page, what, test, argument, seconds = 60) {
  try {
    await page.waitForFunction(test, argument, { timeout: seconds * 1000, polling: 50 });
  } catch {
    const seen = JSON.stringify(await state(page));
    if (pictures) await page.screenshot({ path: join(pictures, "failed.png") });
    throw new Error(`${what}: not within ${seconds} s; seen ${seen}`);
  }
  return state(page);
}
const calm = (page) => until(page, "work comes to an end", () => {
  const state = globalThis.highroadState;
  return state && !state.busy && state.outcome;
});
const picture = (page, name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });
const drag = async (page, from, to) => {
  await page.mouse.move(...from);
  await page.mouse.down();
  for (let share = 0.1; share <= 1; share += 0.1) {
    await page.mouse.move(from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share);
    await page.waitForTimeout(30);
  }
  await page.mouse.up();
};
const say = (text) => console.log(`web test: ${text}`);

async function firstMinute() {
  const page = await newPage();
  await until(page, "a first picture", () => globalThis.highroadFirstPictureMs > 0);
  const firstPicture = await page.evaluate(() => Math.round(globalThis.highroadFirstPictureMs));
  await until(page, "a path", () => globalThis.highroadState?.pathCells > 0);
  const firstPath = await page.evaluate(() => Math.round(performance.now()));
  assert.equal((await state(page)).mode, "Start");
  await page.waitForTimeout(500);
  await picture(page, "start-1280");
  say(`first picture after ${firstPicture} ms, first path within ${firstPath} ms of opening`);
  return page;
}

// The first lesson, by the same clicks and keys as the test of the window.
async function lesson(page) {
  const step = (number, isDone) => until(page, `step ${number} of the lesson`, ([number, isDone]) => {
    const lesson = globalThis.highroadState.lesson;
    return lesson?.step === number && (!isDone || lesson.isStepDone);
  }, [number, isDone]);
  const press = async (key) => { await page.waitForTimeout(300); await page.keyboard.press(key); };
  const click = async (x, y) => { await page.mouse.move(x, y); await page.waitForTimeout(300); await page.mouse.click(x, y); };
  await click(140, 220);
  await step(0);
  await calm(page);
  await page.waitForTimeout(500);
  await picture(page, "lesson-1280");
  await press("End");
  await step(0, true);
  await press("Enter");
  await step(1);
  await page.waitForTimeout(500);
  await click(51, 353);
  await step(1, true);
  await page.mouse.move(600, 650);
  await press("Enter");
  await step(2);
  await page.waitForTimeout(500);
  await click(55, 337);
  await page.waitForTimeout(300);
  await page.keyboard.type("90");
  await press("Enter");
  await page.waitForTimeout(500);
  await click(51, 483);
  await step(2, true);
  await page.mouse.move(600, 650);
  await press("Enter");
  await step(3);
  await press("Enter");
  const end = await until(page, "the end of the lesson", () => !globalThis.highroadState.lesson);
  assert.ok(end.lessonsDone.length === 1, JSON.stringify(end.lessonsDone));
  say("a lesson is run to its end");
}

async function pathAndGoal(page) {
  const file = "type octile\nheight 40\nwidth 60\nmap\n" +
    Array.from({ length: 40 }, (_, y) => Array.from({ length: 60 }, (_, x) =>
      x === 20 && y > 5 || x === 40 && y < 34 ? "@" : ".").join("")).join("\n") + "\n";
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Control+o");
  await (await chooser).setFiles({ name: "walls.map", mimeType: "text/plain", buffer: Buffer.from(file) });
  await until(page, "the opened map", () => globalThis.highroadState.map === "walls.map");
  const before = await calm(page);
  assert.deepEqual(before.size, [60, 40]);
  assert.ok(before.pathCells > 40, `a path of ${before.pathCells} cells`);
  say("a map file is opened by the dialog, and a path is drawn");
  // Towards the middle of the map.
  const by = (at, side) => (at > side / 2 ? -5 : 5) * before.scale;
  const [x, y] = before.goalSpot;
  await drag(page, [x, y], [x + by(before.goal[0], 60), y + by(before.goal[1], 40)]);
  await until(page, "another goal", (goal) => String(globalThis.highroadState.goal) !== String(goal), before.goal);
  const after = await calm(page);
  assert.ok(after.pathCells > 0);
  say(`the goal is dragged from ${before.goal} to ${after.goal}`);
  await page.waitForTimeout(500);
  await picture(page, "map-1280");
}

async function planner(page) {
  const before = await state(page);
  await page.mouse.click(1075, 48);
  await page.waitForTimeout(600);
  await picture(page, "planners-1280");
  await page.mouse.click(1030, 363);
  await until(page, "another planner", (planner) => globalThis.highroadState.planner !== planner, before.planner);
  const after = await calm(page);
  say(`the planner ${after.planner} is chosen in the place of ${before.planner}`);
}

async function replay(page) {
  await page.mouse.move(600, 400);
  await page.keyboard.press("Home");
  await until(page, "the first event", () => globalThis.highroadState.position === 0);
  await page.keyboard.press("Space");
  await until(page, "playing", () => globalThis.highroadState.position > 3);
  await page.keyboard.press("Space");
  await until(page, "a pause", () => !globalThis.highroadState.isPlaying);
  const paused = await state(page);
  await page.keyboard.press("ArrowRight");
  const { position, events } = await until(page, "the next event",
    (position) => globalThis.highroadState.position > position, paused.position);
  assert.ok(position <= events);
  say(`a search of ${events} events is replayed`);
}

async function link(page) {
  await page.keyboard.press("Control+Shift+L");
  const before = await until(page, "a word on the link", () => globalThis.highroadState.news?.text.startsWith("Copied"));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${address}#highroad=1.`), link);
  const other = await newPage({ hash: link.slice(link.indexOf("#")) });
  await until(other, "the link's map", () => globalThis.highroadState?.mode === "Map");
  const after = await until(other, "the link's position",
    (position) => globalThis.highroadState.position === position, before.position);
  for (const key of ["map", "size", "planner", "start", "goal", "events"]) assert.deepEqual(after[key], before[key], key);
  await other.close();
  say(`a link of ${link.length} letters is copied and opened again`);
}

async function smoothness(page) {
  // A public map if it is there; else one of the same size with walls at random.
  const known = join(process.env.HIGHROAD_MAPS ?? "../shared/maps", "AcrosstheCape.map");
  const found = [known, join(known, "../starcraft/AcrosstheCape.map"), join(known, "../sc1/AcrosstheCape.map")].find(existsSync);
  let seed = 1;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const made = () => "type octile\nheight 768\nwidth 768\nmap\n" + Array.from({ length: 768 }, () =>
    Array.from({ length: 768 }, () => random() < 0.2 ? "@" : ".").join("")).join("\n") + "\n";
  const bytes = found ? await readFile(found) : Buffer.from(made());
  const name = found ? "AcrosstheCape.map" : "made.map";
  await page.evaluate(() => { globalThis.highroadLongestMs = globalThis.highroadLongestWorkMs = 0; });
  await page.evaluate(async ([name, bytes]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name));
    document.querySelector("canvas").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  }, [name, bytes.toString("base64")]);
  await until(page, "the dropped map", (name) => globalThis.highroadState.map === name, name);
  say(`${name} is dropped onto the page`);
  // Opening itself reads and draws a whole map; what is asked for is the time after it.
  await calm(page);
  const loaded = await page.evaluate(() => [globalThis.highroadLongestMs, globalThis.highroadLongestWorkMs]);
  // Another planner and back: HPA* is built again.
  await page.evaluate(() => { globalThis.highroadLongestMs = globalThis.highroadLongestWorkMs = 0; });
  const before = await state(page);
  await page.keyboard.press("t");
  await page.waitForTimeout(500);
  await calm(page);
  await page.keyboard.press("t");
  await page.waitForTimeout(300);
  const built = await page.evaluate(() => [globalThis.highroadLongestMs, globalThis.highroadLongestWorkMs]);
  await page.evaluate(() => { globalThis.highroadLongestMs = globalThis.highroadLongestWorkMs = 0; });
  const [x, y] = before.goalSpot;
  await drag(page, before.goalSpot, [x + (x > 640 ? -120 : 120), y + (y > 400 ? -90 : 90)]);
  await calm(page);
  const dragged = await page.evaluate(() => [globalThis.highroadLongestMs, globalThis.highroadLongestWorkMs]);
  const words = ([update, work]) => `update ${update.toFixed(1)} ms, piece of work ${work.toFixed(1)} ms`;
  say(`longest while ${name} is opened: ${words(loaded)}; while planners are built: ${words(built)}; while the goal is dragged: ${words(dragged)}`);
  await picture(page, "cape-1280");
}

async function badInput() {
  for (const [hash, words] of [
    ["#highroad=1.AAAA", "the link is broken"],
    ["#highroad=9.AAAA", "newer version of Highroad (format 9)"],
  ]) {
    const page = await newPage({ hash });
    const seen = await until(page, `a word on ${hash}`, () => globalThis.highroadState?.news?.isError);
    assert.ok(seen.news.text.includes(words), seen.news.text);
    await page.close();
  }
  const large = join(work, "large.map");
  const file = await open(large, "w");
  await file.truncate(300 << 20);
  await file.close();
  const page = await newPage();
  await until(page, "a picture", () => globalThis.highroadState?.outcome);
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Control+o");
  await (await chooser).setFiles(large);
  const seen = await until(page, "a word on a large file", () => globalThis.highroadState.news?.isError);
  assert.ok(seen.news.text.includes("it has 300 MB"), seen.news.text);
  await page.close();

  const forgetful = await newPage({ prepare: () => {
    Object.defineProperty(window, "localStorage", { get() { throw new DOMException("refused", "SecurityError"); } });
  } });
  const said = await until(forgetful, "a word on storage", () => globalThis.highroadState?.news?.isError);
  assert.ok(said.news.text.includes("does not let the page remember"), said.news.text);
  await forgetful.close();

  const plain = await newPage({ prepare: () => {
    HTMLCanvasElement.prototype.getContext = () => null;
  } });
  await plain.waitForFunction(() => globalThis.highroadFault);
  assert.ok((await plain.textContent("#cover")).includes("has no WebGL"));
  await picture(plain, "no-webgl");
  await plain.close();
  say("broken and newer links, a file of 300 MB, no local storage and no WebGL: each is said");
}

async function embedded(hash) {
  const frame = await newPage({ query: "?test&embed", hash, size: { width: 640, height: 420 } });
  await until(frame, "the link's map", () => globalThis.highroadState?.pathCells > 0);
  await calm(frame);
  await frame.waitForTimeout(500);
  await picture(frame, "embedded");
  await frame.close();
  const narrow = await newPage({ hash, size: { width: 768, height: 1024 } });
  await until(narrow, "the link's map", () => globalThis.highroadState?.pathCells > 0);
  await calm(narrow);
  await narrow.waitForTimeout(500);
  await picture(narrow, "map-768");
  await narrow.close();
  say("one view alone is shown in a frame, and the whole at 768 × 1024");
}

async function touch() {
  const context = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  const page = await (await context.newContext({ hasTouch: true, viewport: { width: 768, height: 1024 } })).newPage();
  page.on("console", (line) => { if (line.type() === "error") troubles.push(line.text()); });
  await page.goto(`${address}?test&embed`);
  await until(page, "a path", () => globalThis.highroadState?.pathCells > 0);
  await calm(page);
  const devtools = await page.context().newCDPSession(page);
  const fingers = (type, points) => devtools.send("Input.dispatchTouchEvent", {
    type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  });
  const gesture = async (from, to) => {
    await fingers("touchStart", from);
    for (let share = 0.1; share <= 1.01; share += 0.1) {
      await page.waitForTimeout(40);
      await fingers("touchMove", from.map(([x, y], id) => [x + (to[id][0] - x) * share, y + (to[id][1] - y) * share]));
    }
    await page.waitForTimeout(80);
    await fingers("touchEnd", []);
    await page.waitForTimeout(300);
  };
  const before = await state(page);
  await gesture([[340, 500], [420, 500]], [[240, 500], [520, 500]]);
  const zoomed = await state(page);
  assert.ok(zoomed.scale > before.scale * 1.5, `pinch: ${before.scale} to ${zoomed.scale}`);
  assert.equal(zoomed.revision, before.revision, "a pinch draws nothing");
  await gesture([[300, 500], [380, 500]], [[300, 600], [380, 600]]);
  const panned = await state(page);
  assert.ok(panned.startSpot[1] > zoomed.startSpot[1] + 50, `two fingers pan: ${zoomed.startSpot} to ${panned.startSpot}`);
  await gesture([[200, 300]], [[300, 420]]);
  const drawn = await state(page);
  assert.ok(drawn.revision > panned.revision, "one finger draws");
  await context.close();
  say("touch: two fingers zoom and move the map, one draws");
}

async function npmPackage() {
  const page = await browser.newPage();
  await page.goto(`${address}npm/index.js`);
  const checks = await page.evaluate(async (root) => {
    const engine = await import(`${root}npm/index.js`);
    const { runTests } = await import(`${root}npm-tests/tests.mjs`);
    const fail = (words) => { throw new Error(words); };
    const equal = (a, b, words) => { if (a !== b) fail(`${words}: ${a}, not ${b}`); };
    return runTests(engine, {
      fail, equal,
      ok: (value, words) => { if (!value) fail(words); },
      deepEqual: (a, b, words) => equal(JSON.stringify(a), JSON.stringify(b), words),
      throws: (action, check) => {
        let thrown = null;
        try { action(); } catch (error) { thrown = error; }
        if (!thrown || !check(thrown)) fail(`${action} throws ${thrown}`);
      },
    });
  }, address);
  await page.close();
  say(`the npm package: ${checks} checks in the browser`);
}

try {
  await npmPackage();
  const page = await firstMinute();
  await lesson(page);
  await pathAndGoal(page);
  await planner(page);
  await replay(page);
  await link(page);
  await smoothness(page);
  await badInput();
  await embedded("");
  await touch();
  assert.deepEqual(troubles, [], "errors on the console");
  say("no errors on the console");
} finally {
  await browser.close();
  server.close();
  await rm(work, { recursive: true, force: true });
}
