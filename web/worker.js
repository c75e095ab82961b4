// Runs after spirv-if.js, in a thread of its own, so that the page answers meanwhile.
const all = { compatibility, disassemble, inspect, report, pack, shaders, specialize, trim, unbundle };
const withoutFile = { devices, libraryAnswer };
self.onmessage = async ({ data: { number, wasm, call, options, file } }) => {
  if (wasm) return load(wasm);
  try {
    if (file instanceof Blob) file = new Uint8Array(await file.arrayBuffer());
    self.postMessage({ number, value: await (withoutFile[call]?.(options) ?? all[call](file, options)) });
  } catch (error) {
    self.postMessage({ number, error: { message: error.message, kind: error.kind ?? "internal", module: error.module, details: error.details } });
  }
};
