/** Loads the engine; call it once and wait for it. In Node.js and in browsers no argument is needed. */
export function load(source?: BufferSource | URL | string | Response | WebAssembly.Module): Promise<void>;

/** The names of all planners. Options follow the name: `"hpa:cluster=32"`, `"astar:heuristic=manhattan"`. */
export function planners(): string[];

/** Column and row. */
export type Cell = readonly [x: number, y: number];

export interface WorldOptions {
  /** The planner and its options; `"hpa"` unless given. */
  planner?: string;
  /** `"four-way"`, `"never-cut-corners"` (unless given), `"at-most-one-obstacle"` or `"always-diagonal"`. */
  rule?: string;
  /** Whether cells may come to cost more than 1 later. Needed only if none does at the beginning. */
  weighted?: boolean;
}

export interface Path {
  /** The number of every cell from start to goal: `y * width + x`. */
  cells: Uint32Array;
  /** A straight step between cells that cost 1 costs 1, a diagonal one 1.4142. */
  cost: number;
}

export interface Paths {
  /** The cells of all paths, one path after the other. */
  cells: Uint32Array;
  /** Where each path ends in `cells`; it begins where the one before ends. */
  ends: Uint32Array;
  /** What each path costs; -1 where there is none. */
  costs: Float64Array;
}

/** A map that changes, with a planner that follows. */
export class World {
  /**
   * A map of costs by rows: 0 for cells that cannot be entered, else 1 to 16. Throws if sizes, costs, the planner or the rule
   * are wrong, or if the planner does not serve the map.
   */
  constructor(costs: Uint8Array, width: number, height: number, options?: WorldOptions);
  readonly width: number;
  readonly height: number;
  /** A path, or `null` if there is none. Throws if a cell is not on the map, or cannot be entered. */
  findPath(start: Cell, goal: Cell): Path | null;
  /** Paths between pairs of cells, by their numbers: start, goal, start, goal … */
  findMany(pairs: Uint32Array): Paths;
  /** Gives a cell another cost. */
  set(cell: Cell, cost: number): void;
  /** Gives cells other costs, by their numbers, in one edit: all of them, or none if one is wrong. */
  setCells(cells: Uint32Array, costs: Uint8Array): void;
  /** Gives all cells of a rectangle another cost. */
  fill(x: number, y: number, width: number, height: number, cost: number): void;
  /** What each cell costs, by rows: a copy. */
  readonly costs: Uint8Array;
  /** What the planner promises on this map: `"optimal"` and the like. */
  readonly guarantee: string | undefined;
  /** How many edits have changed something. */
  readonly revision: number;
  /** Gives the memory back at once; the world cannot be used any more. */
  free(): void;
}
