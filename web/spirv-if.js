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

/** Makes the error of a value of the wrong type. */
const wrongType = (argument, value, expected) => {
  const type = value === null ? "null" : typeof value === "object" ? value.constructor?.name ?? "object" : typeof value;
  return new TypeError(`the argument '${argument}' is of the type ${type}: expected ${expected}`);
};

/** Returns the bytes of a view or an ArrayBuffer, which may be that of another frame; undefined for anything else. */
const bytesOf = (value) => {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]" ? new Uint8Array(value) : undefined;
};

/** Says where the WebAssembly is, before the first call: its URL, its bytes, a response or a compiled module. By default the file beside this one. */
export function load(from) {
  source = from;
  compiled = instance = null;
}

async function compile() {
  // The entry for node gives a function.
  const from = (await (typeof source === "function" ? source() : source)) ?? new URL("./spirv-if.wasm", import.meta.url);
  if (from instanceof WebAssembly.Module) return from;
  const given = bytesOf(from);
  if (given) return WebAssembly.compile(given);
  const isResponse = typeof Response !== "undefined" && from instanceof Response;
  if (!isResponse && typeof from !== "string" && !(from instanceof URL)) throw wrongType("from", from, "a URL, bytes, a Response or a WebAssembly.Module");
  const response = isResponse ? from : await fetch(new URL(from, import.meta.url));
  const refuse = (reason) => {
    throw new SpirvIfError({ kind: "request", message: `${response.url || from} ${reason}: put spirv-if.wasm there, or give its URL or bytes to load()` });
  };
  if (!response.ok) refuse(`is answered by ${response.status} ${response.statusText}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Servers of pages with one file answer every address by that file.
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== "\0asm") refuse("is not WebAssembly");
  return WebAssembly.compile(bytes);
}

/** Returns the JSON of a request. What JSON would pass over is not passed over. */
function request(called, given, defaults) {
  if (given !== undefined && given !== null && (typeof given !== "object" || Array.isArray(given))) throw wrongType("options", given, "an object");
  const { name, part, properties, annotations, ...options } = { ...defaults, ...given };
  return JSON.stringify({ call: called, source: { name, part, properties, annotations }, options }, (option, value) => {
    if (typeof value === "bigint") return String(value);
    if (value instanceof Map) return Object.fromEntries(value);
    if (typeof value === "function" || typeof value === "symbol") throw wrongType(`options.${option}`, value, "a value of JSON");
    return value;
  });
}

async function call(called, given, file = new Uint8Array(), defaults = {}) {
  const asked = new TextEncoder().encode(request(called, given, defaults));
  if (file.length > most) {
    throw new SpirvIfError({ kind: "request", module: given?.name, message: `it has ${file.length} bytes, and at most ${most} are read: use the program, spirv-if` });
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
    put(0, asked);
    put(1, file);
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
  if (answer.error?.kind === "type") throw new TypeError(answer.error.message);
  if (answer.error) throw new SpirvIfError(answer.error);
  return { value: answer.value, file: part(1).slice() };
}

async function callAbout(called, options, file, defaults) {
  const bytes = bytesOf(file);
  if (!bytes) throw wrongType("file", file, "an ArrayBuffer or a view of one, such as a Uint8Array");
  return call(called, options, bytes, defaults);
}

const failures = (list) => list.map((failure) => new SpirvIfError(failure));
const text = (bytes) => new TextDecoder().decode(bytes);
const made = ({ value, file }) => ({ module: file, ...value });

/** The devices of the table, or of a configuration. */
export const devices = async (options) => (await call("devices", options)).value;

/** What the modules in a file require, and which devices run them. */
export const inspect = async (file, options) => {
  const { value, file: json } = await callAbout("inspect", options, file);
  return { ...JSON.parse(text(json)), failures: failures(value.failures) };
};

/** The same as an HTML page. */
export const report = async (file, options) => text((await callAbout("report", options, file, { devices: "*", details: true })).file);

/** How many devices run each of several modules, by the answers of these; null for fewer than two. */
export const libraryAnswer = async (answers) => (await call("libraryAnswer", { answers })).value;

/** One module for every device. */
export const pack = async (file, options) => made(await callAbout("pack", options, file));

/** A plain module for a device. */
export const specialize = async (file, options) => made(await callAbout("specialize", options, file));

/** What Vulkan must enable for a module as it is. */
export const vulkanRequirements = async (file, options) => (await callAbout("vulkanRequirements", options, file)).value;

/** The verdict of `specialize` on a device, without a module. */
export const compatibility = async (file, options) => (await callAbout("compatibility", options, file)).value;

/** A module without the declarations that nothing in it requires. */
export const trim = async (file, options) => made(await callAbout("trim", options, file));

/** A module as assembly. */
export const disassemble = async (file, options) => text((await callAbout("disassemble", options, file)).file);

/** The shaders of a bundle, by name, with their variants. */
export const shaders = async (bundle) => (await callAbout("shaders", undefined, bundle)).value;

/** The module of a shader of a bundle. */
export const unbundle = async (bundle, options) => (await callAbout("unbundle", options, bundle)).file;
