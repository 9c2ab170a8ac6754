import init, { Engine, planner_names } from "./highroad_engine.js";

let loading = null;

export function load(source) {
  loading ??= loadOnce(source);
  return loading;
}

async function loadOnce(source) {
  const address = new URL("./highroad_engine_bg.wasm", import.meta.url);
  if (source === undefined && address.protocol === "file:" && globalThis.process?.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    source = await readFile(address);
  }
  await init({ module_or_path: source ?? address });
}

export function planners() {
  return planner_names().split("\n");
}

export class World {
  #engine;

  constructor(costs, width, height, options = {}) {
    const { planner = "hpa", rule = "never-cut-corners", weighted = false } = options;
    this.width = width;
    this.height = height;
    this.#engine = new Engine(costs, width, height, planner, rule, weighted);
  }

  #cell([x, y]) {
    if (!(x >= 0 && x < this.width && y >= 0 && y < this.height)) {
      throw new RangeError(`(${x}, ${y}) is not on the map of ${this.width} × ${this.height} cells`);
    }
    return y * this.width + x;
  }

  findPath(start, goal) {
    const found = this.#engine.find(this.#cell(start), this.#cell(goal));
    if (!found) return null;
    const path = { cells: found.cells(), cost: found.cost() };
    found.free();
    return path;
  }

  findMany(pairs) {
    const found = this.#engine.find_many(pairs);
    const paths = { cells: found.cells(), ends: found.ends(), costs: found.costs() };
    found.free();
    return paths;
  }

  set([x, y], cost) {
    this.setCells(Uint32Array.of(this.#cell([x, y])), Uint8Array.of(cost));
  }

  setCells(cells, costs) {
    this.#engine.set_cells(cells, costs);
  }

  fill(x, y, width, height, cost) {
    this.#engine.fill(x, y, width, height, cost);
  }

  get costs() {
    return this.#engine.costs();
  }

  get guarantee() {
    return this.#engine.guarantee();
  }

  get revision() {
    return this.#engine.revision();
  }

  free() {
    this.#engine.free();
  }
}
