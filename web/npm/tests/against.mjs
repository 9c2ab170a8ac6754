// The same queries on the same maps, by this package and by PathFinding.js (npm's `pathfinding`).
// Usage: node against.mjs PACKAGE_FOLDER PATHFINDING_FOLDER MAP_FILE…
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { randomSource } from "./tests.mjs";

const [folder, peer, ...files] = process.argv.slice(2);
const { load, World } = await import(pathToFileURL(resolve(folder, "index.js")));
const PF = createRequire(join(resolve(peer), "node_modules/"))("pathfinding");
await load();
const QUERIES = 50;

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const row = (...cells) => console.log(`| ${cells.join(" | ")} |`);
row("map", "finder", "build ms", "median ms", "all ms", "mean cost");
row("---", "---", "---:", "---:", "---:", "---:");
for (const file of files) {
  const lines = (await readFile(file, "utf8")).split("\n");
  const [height, width] = [1, 2].map((line) => Number(lines[line].split(" ")[1]));
  const costs = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) costs[y * width + x] = ".G".includes(lines[4 + y][x]) ? 1 : 0;
  }
  const random = randomSource(1);
  const exact = new World(costs, width, height, { planner: "astar" });
  const queries = [];
  while (queries.length < QUERIES) {
    const cell = () => { for (;;) { const c = Math.floor(random() * costs.length); if (costs[c]) return [c % width, Math.floor(c / width)]; } };
    const query = [cell(), cell()];
    if (exact.findPath(...query)) queries.push(query);
  }
  const measure = (name, make, find) => {
    const begun = performance.now();
    const finder = make();
    const build = performance.now() - begun;
    const times = [], sums = [];
    for (const [start, goal] of queries) {
      const before = performance.now();
      const cost = find(finder, start, goal);
      times.push(performance.now() - before);
      sums.push(cost);
    }
    const all = times.reduce((a, b) => a + b);
    const mean = sums.reduce((a, b) => a + b) / sums.length;
    row(basename(file), name, build.toFixed(1), median(times).toFixed(3), all.toFixed(0), mean.toFixed(2));
  };
  for (const planner of ["astar", "jps", "hpa", "pra"]) {
    measure(`highroad ${planner}`, () => new World(costs, width, height, { planner }),
      (world, start, goal) => world.findPath(start, goal).cost);
  }
  const matrix = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => 1 - costs[y * width + x]));
  const options = { diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles, heuristic: PF.Heuristic.octile };
  for (const name of ["AStarFinder", "JumpPointFinder", "BiAStarFinder"]) {
    // A grid serves one search; copies are made outside of what is timed.
    const grids = queries.map(() => null);
    const base = new PF.Grid(matrix);
    let number = 0;
    queries.forEach((_, at) => { grids[at] = base.clone(); });
    measure(`pathfinding ${name}`, () => new PF[name](options), (finder, start, goal) => {
      const path = finder.findPath(...start, ...goal, grids[number++]);
      return PF.Util.pathLength(PF.Util.expandPath(path));
    });
  }
}
