// A program that becomes one file, with the bytes of the WebAssembly in it.
import { load, pack, trim } from "spirv-if";
import wasm from "spirv-if/spirv-if.wasm";
import { readFileSync } from "node:fs";
load(wasm);
const { summary: { setByHost }, module } = await pack(readFileSync(process.argv[2]));
const trimmed = await trim(module);
if (setByHost[0].condition !== "fp16" || trimmed.module.length === 0) throw new Error(JSON.stringify(setByHost));
