// Runs a program for wasm32-unknown-unknown that takes no arguments and imports nothing; its status is the process's.
import { readFile } from "node:fs/promises";

const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), {});
const status = instance.exports.main(0, 0);
if (status !== 0) console.error(`${process.argv[2]}: status ${status}`);
process.exit(status);
