// The calls of spirv-if, over the WebAssembly beside this file. Nothing is sent anywhere: the calls compute here.

/** The cause for which a call fails. */
export class SpirvIfError extends Error {
  constructor({ kind, message, module, ...details }) {
    super(message);
    Object.assign(this, { name: "SpirvIfError", kind, module: module ?? null, details });
  }
}

/** The most bytes of a file: twice as many have to fit the memory of WebAssembly. */
const most = 2 ** 30;

let source = null;
let compiled = null;
let instance = null;

/** Says where the WebAssembly is, before the first call: its URL, its bytes, a response or a compiled module. By default the file beside this one. */
export function load(from) {
  source = from;
  compiled = instance = null;
}

async function compile() {
  const from = (await source) ?? new URL("./spirv-if.wasm", import.meta.url);
  if (from instanceof WebAssembly.Module) return from;
  if (from instanceof ArrayBuffer || ArrayBuffer.isView(from)) return WebAssembly.compile(from);
  if (typeof Response !== "undefined" && from instanceof Response) return WebAssembly.compile(await from.arrayBuffer());
  const url = new URL(from, import.meta.url);
  if (url.protocol === "file:") return WebAssembly.compile(await (await import("node:fs/promises")).readFile(url));
  return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
}

async function call(called, given, file = new Uint8Array()) {
  const { name, part: of, properties, annotations, ...options } = given ?? {};
  if (file.byteLength > most) {
    throw new SpirvIfError({ kind: "request", module: name, message: `it has ${file.byteLength} bytes, and at most ${most} are read: use the program, spirv-if` });
  }
  compiled ??= compile();
  instance ??= compiled.then((module) => WebAssembly.instantiate(module, {}));
  const { exports } = await instance;
  const put = (input, bytes) => {
    const address = exports.room(input, bytes.length);
    new Uint8Array(exports.memory.buffer).set(bytes, address >>> 0);
  };
  const part = (number) => new Uint8Array(exports.memory.buffer, exports.part(number) >>> 0, exports.part_size(number));
  let answer;
  try {
    put(0, new TextEncoder().encode(JSON.stringify({ call: called, source: { name, part: of, properties, annotations }, options })));
    put(1, file instanceof ArrayBuffer ? new Uint8Array(file) : file);
    exports.answer();
    answer = JSON.parse(new TextDecoder().decode(part(0)));
  } catch (trap) {
    // What is left of the instance is not used again; a panic left its message. Else the answer is that of an earlier call.
    instance = null;
    let message = String(trap);
    try {
      const { error } = JSON.parse(new TextDecoder().decode(part(0)));
      if (error?.kind === "internal") message = error.message;
    } catch { /* there is none */ }
    throw new SpirvIfError({ kind: "internal", message: `this is a defect of spirv-if, please report it: ${message}` });
  }
  if (answer.error) throw new SpirvIfError(answer.error);
  return { value: answer.value, file: part(1).slice() };
}

const failures = (list) => list.map((failure) => new SpirvIfError(failure));
const text = (bytes) => new TextDecoder().decode(bytes);
const made = ({ value, file }) => ({ module: file, ...value });

/** The devices of the table, or of a configuration. */
export const devices = async (options) => (await call("devices", options)).value;

/** What the modules in a file require, and which devices run them. */
export const inspect = async (file, options) => {
  const { value, file: json } = await call("inspect", options, file);
  return { ...JSON.parse(text(json)), failures: failures(value.failures) };
};

/** The same as an HTML page. */
export const report = async (file, options) => text((await call("report", { devices: "*", details: true, ...options }, file)).file);

/** One module for every device. */
export const pack = async (file, options) => made(await call("pack", options, file));

/** A plain module for a device. */
export const specialize = async (file, options) => made(await call("specialize", options, file));

/** A module without the declarations that nothing in it requires. */
export const trim = async (file, options) => made(await call("trim", options, file));
