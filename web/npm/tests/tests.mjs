// What the package is tested for, in Node.js and in a browser: every planner against a plain Dijkstra, edits, bad input.

const DIAGONAL = Math.SQRT2;

export function randomSource(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function randomMap(random, width, height, blocked, costMax) {
  return Uint8Array.from({ length: width * height }, () =>
    random() < blocked ? 0 : 1 + Math.floor(random() * costMax));
}

// The cost of the cheapest path between two cells, or Infinity; diagonal steps never cut corners. A step costs the mean of
// the two cells.
export function plainDijkstra(costs, width, height, start, goal) {
  const known = new Float64Array(width * height).fill(Infinity);
  const done = new Uint8Array(width * height);
  known[start] = 0;
  for (;;) {
    let at = -1;
    for (let cell = 0; cell < known.length; cell++) {
      if (!done[cell] && known[cell] < Infinity && (at < 0 || known[cell] < known[at])) at = cell;
    }
    if (at < 0) return Infinity;
    if (at === goal) return known[at];
    done[at] = 1;
    for (const [next, price] of steps(costs, width, height, at)) {
      known[next] = Math.min(known[next], known[at] + price);
    }
  }
}

function* steps(costs, width, height, from) {
  const x = from % width, y = Math.floor(from / width);
  const cost = (x, y) => x < 0 || y < 0 || x >= width || y >= height ? 0 : costs[y * width + x];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if ((dx || dy) && cost(x + dx, y + dy) && cost(x + dx, y) && cost(x, y + dy)) {
        const length = dx && dy ? DIAGONAL : 1;
        yield [(y + dy) * width + x + dx, length * (costs[from] + cost(x + dx, y + dy)) / 2];
      }
    }
  }
}

// Whether every step of a path is one of the map, and what they cost together.
function walk(costs, width, height, cells) {
  let sum = 0;
  for (let at = 1; at < cells.length; at++) {
    const step = [...steps(costs, width, height, cells[at - 1])].find(([next]) => next === cells[at]);
    if (!step) throw new Error(`there is no step from ${cells[at - 1]} to ${cells[at]}`);
    sum += step[1];
  }
  return sum;
}

export async function runTests({ load, planners, World }, assert) {
  await load();
  let checks = 0;
  const near = (a, b, words) => {
    checks += 1;
    assert.ok(Math.abs(a - b) <= 1e-4 * Math.max(1, b), `${words}: ${a}, not ${b}`);
  };
  const refuses = (action, words) => {
    checks += 1;
    assert.throws(action, (error) => String(error).includes(words) || assert.fail(`${error} does not say ${words}`));
  };
  const names = planners();
  assert.ok(names.includes("hpa") && names.includes("astar") && names.includes("jps"), names.join());

  const random = randomSource(7);
  for (let round = 0; round < 24; round++) {
    const [width, height] = [5 + Math.floor(random() * 18), 5 + Math.floor(random() * 14)];
    const costs = randomMap(random, width, height, 0.25, round % 3 === 2 ? 4 : 1);
    for (const planner of names) {
      let world;
      try {
        world = new World(costs, width, height, { planner });
      } catch (error) {
        assert.ok(String(error).includes("does not serve"), `${planner}: ${error}`);
        continue;
      }
      for (let query = 0; query < 4; query++) {
        const open = [...costs.keys()].filter((cell) => costs[cell]);
        const [start, goal] = [0, 1].map(() => open[Math.floor(random() * open.length)]);
        const place = (cell) => [cell % width, Math.floor(cell / width)];
        const path = world.findPath(place(start), place(goal));
        const best = plainDijkstra(costs, width, height, start, goal);
        if (path === null) {
          assert.equal(best, Infinity, planner);
          continue;
        }
        assert.equal(path.cells[0], start);
        assert.equal(path.cells.at(-1), goal);
        near(path.cost, walk(costs, width, height, path.cells), planner);
        if (world.guarantee === "optimal") near(path.cost, best, planner);
        else assert.ok(path.cost >= best - 1e-4, planner);
      }
      world.free();
    }
  }

  // Edits: the planner answers as a new one on the map as it is.
  for (const planner of ["hpa", "pra", "astar", "subgoal"].filter((name) => names.includes(name))) {
    const [width, height] = [40, 30];
    const costs = randomMap(random, width, height, 0.2, 1);
    costs[0] = costs[width * height - 1] = 1;
    const world = new World(costs, width, height, { planner });
    for (let round = 0; round < 12; round++) {
      const cells = Uint32Array.from({ length: 6 }, () => 1 + Math.floor(random() * (width * height - 2)));
      const values = Uint8Array.from(cells, () => Number(random() < 0.5));
      world.setCells(cells, values);
      cells.forEach((cell, at) => { costs[cell] = values[at]; });
      assert.deepEqual([...world.costs], [...costs]);
      const path = world.findPath([0, 0], [width - 1, height - 1]);
      const best = plainDijkstra(costs, width, height, 0, width * height - 1);
      checks += 1;
      assert.equal(path === null, best === Infinity, planner);
      if (path) {
        near(path.cost, walk(costs, width, height, path.cells), planner);
        assert.ok(path.cost >= best - 1e-4 && path.cost <= best * 1.3, `${planner}: ${path.cost}, best ${best}`);
      }
    }
    world.fill(10, 0, 1, height, 0);
    assert.equal(world.findPath([0, 0], [width - 1, height - 1]), null);
  }

  const world = new World(new Uint8Array(12).fill(1), 4, 3, { planner: "astar" });
  const many = world.findMany(Uint32Array.of(0, 3, 0, 11));
  assert.deepEqual([...many.ends], [4, 4 + many.cells.length - 4]);
  near(many.costs[0], 3, "a straight line");
  refuses(() => new World(new Uint8Array(5), 2, 2), "5 costs are given for 2 × 2 = 4 cells");
  refuses(() => new World(Uint8Array.of(1, 17), 2, 1), "cell 1: 17 is no cost");
  refuses(() => new World(new Uint8Array(4), 2, 2, { planner: "no-such" }), "no-such");
  refuses(() => new World(new Uint8Array(4), 2, 2, { rule: "hops" }), "is no movement rule");
  refuses(() => world.findPath([0, 0], [4, 0]), "is not on the map");
  refuses(() => world.findMany(Uint32Array.of(0, 99)), "cell 99 is not on the map");
  refuses(() => world.findMany(Uint32Array.of(0)), "has no goal");
  refuses(() => world.setCells(Uint32Array.of(1), Uint8Array.of(5)), "needs the option weighted");
  refuses(() => world.fill(0, 0, 9, 9, 0), "");
  assert.deepEqual([...world.costs], Array(12).fill(1), "what is refused changes nothing");
  world.fill(0, 0, 1, 1, 0);
  refuses(() => world.findPath([0, 0], [3, 0]), "");
  return checks;
}
