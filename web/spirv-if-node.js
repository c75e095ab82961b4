// The entry for node: like spirv-if.js, and reads the WebAssembly from the disk, which fetch does not do there.
import { readFile } from "node:fs/promises";
import { load as loadFrom } from "./spirv-if.js";

export * from "./spirv-if.js";

/** Like `load` of spirv-if.js. The URL may be that of a file. */
export function load(from) {
  loadFrom(async () => {
    const given = (await from) ?? new URL("./spirv-if.wasm", import.meta.url);
    if (typeof given !== "string" && !(given instanceof URL)) return given;
    const url = new URL(given, import.meta.url);
    return url.protocol === "file:" ? readFile(url) : url;
  });
}

load();
