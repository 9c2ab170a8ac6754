// The npm package in Node.js. Usage: node node.mjs PACKAGE_FOLDER
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runTests } from "./tests.mjs";

const engine = await import(pathToFileURL(resolve(process.argv[2], "index.js")));
const count = await runTests(engine, assert);
console.log(`npm test: ${count} checks in Node.js`);
