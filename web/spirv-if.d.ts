/** The bytes of a SPIR-V module, or of a file with modules inside. */
export type File = ArrayBufferView | ArrayBuffer;

/** What every call about a file takes. */
export interface Source {
  /** The name of the file in messages and reports. */
  name?: string;
  /** One of the modules in it: an index as `"3"`, an offset as `"0x16eb80"`, or the target of an LLVM offload image. */
  part?: string;
  /** The text of the property sets beside it. */
  properties?: string;
  /** The text of an annotations file: conditions of functions and of specialization constants. */
  annotations?: string;
}

export interface Configured {
  /** The text of a device configuration to use instead of the table. */
  deviceConfig?: string;
}

export interface InspectOptions extends Source, Configured {
  /** Lists the devices with a name that matches this, such as `intel_gpu_*`. */
  devices?: string;
  /** Adds the call graph, sizes by condition, call paths, and the devices that values of constants gain. */
  details?: boolean;
  /** Values of specialization constants that are set before the module is inspected. */
  set?: Values;
  /** Another module of the file, as `part`: `against` of each module has the differences from it. Names devices, if `devices` does. */
  against?: string;
  /** Leaves out the specialization constants, of which the values are tried. */
  skipConstants?: boolean;
  /** Leaves out the devices that run a module after `specialize --adapt` or `--trap`. Both take more time than everything else. */
  skipRemedies?: boolean;
  /** Inspects a share of the modules of a file: the number of the share, and of shares. Modules are dealt to them in turn. */
  share?: [number, number];
}

/** How many devices run a module, how many more after which command, and the reasons of the others. */
export interface Answer {
  /** The answer in sentences, with commands between backticks. */
  text: string;
  devices: number;
  run: number;
  /** What a command lowers has costs, by feature. */
  gains: {
    remedy: string;
    devices: number;
    lowered?: { feature: string; exact?: string[]; condition?: string; replaced: number; instructions_before: number; instructions_after: number }[];
  }[];
  do_not_run: { missing?: string; reason: string; devices: number }[];
  not_known: { missing?: string; reason: string; devices: number }[];
}

/** How many devices run each of several modules. */
export interface LibraryAnswer {
  /** The answer in sentences. */
  text: string;
  modules: number;
  devices: number;
  /** The smallest and the largest number of devices that run a module as it is. */
  min_run: number;
  max_run: number;
  /** The number of modules that no device runs as they are. */
  nowhere: number;
}

/** The JSON of `spirv-if inspect --format json` (spec-extensions/inspect.md). */
export interface Inspection {
  /** Of a file with several modules. */
  answer?: LibraryAnswer;
  files: { file: string; size: number; modules: ({ answer: Answer } & Record<string, any>)[] }[];
  /** The modules of the file that could not be inspected. */
  failures: SpirvIfError[];
  [key: string]: any;
}

export interface Device {
  name: string;
  architecture: string | null;
  category: string | null;
  vendor: string | null;
  /** What people call it, the best known first. */
  products: string[];
  aspects: string[] | null;
}

export interface PackOptions extends Source, Configured {
  dialect?: "spec-conditional" | "function-variants";
  propertyNames?: "design" | "dpcpp";
  /** Functions that are kept on every device. */
  exports?: string[];
  keepExports?: boolean;
  /** Features, such as `Int64`: devices without them get lowered twins of code that requires them. `true` stands for all that can be lowered. `twins` lists them. */
  lower?: boolean | string[];
  maxClones?: number;
  strip?: boolean;
}

/** A specialization constant that represents a condition. */
export interface ConditionConstant {
  specId: number;
  condition: string;
}

/** A report on packing. */
export interface PackSummary {
  calls: { caller: string; callee: string; condition: string }[];
  neverTaken: number;
  conditional: { name: string; condition: string }[];
  unconditional: { name: string; reason: string }[];
  removed: string[];
  conditionalExports: string[];
  /** The lowered twins, each with its condition and what was lowered, with the costs. */
  twins: { condition: string; lowered: string[] }[];
  /** The constants that the host sets to true where a condition holds. */
  setByHost: ConditionConstant[];
  warnings: string[];
}

export interface Packed {
  /** The bytes of the module. */
  module: Uint8Array;
  /** The text of its property sets. */
  properties: string;
  summary: PackSummary;
}

/** Values of specialization constants, by SpecId or name. */
export type Values = Record<string, boolean | number | bigint | string> | Map<number | string, boolean | number | bigint | string>;

export interface SpecializeOptions extends Source, Configured {
  /** A device of the table. `gfx90a:xnack+:sramecc-` is a processor of AMD in modes. */
  device?: string;
  architecture?: string;
  /** Lists with commas between the names. */
  capabilities?: string;
  aspects?: string;
  extensions?: string;
  /** Features of providers, such as `amdgpu:gfx12-insts`; after `!` those that the device does not have, and `!amdgpu:*` for all others of a provider. */
  providerFeatures?: string;
  set?: Values;
  setDefault?: Values;
  leave?: string[];
  ignoreUnknown?: boolean;
  /** What happens to conditions that are not known, on the device or without one. By default they are an error. */
  unset?: "error" | "keep" | "default";
  entryPoints?: string[];
  /** Leaves out the entry points that the device is known not to run, if it runs others. `unsupported` lists them. By default the device is refused. */
  dropUnsupported?: boolean;
  maxClones?: number;
  keepInterface?: boolean;
  trim?: boolean;
  strip?: boolean;
  /** Refuses a device that is not known to run the result. By default `notKnown` lists the features that it may or may not have. */
  strict?: boolean;
  /** Changes constructs that the device is known to reject, where the result computes the same or what the module permitted. `adapted` lists the changes. */
  adapt?: boolean;
  /** Rewrites code that requires features which the device is known to lack to code that computes the same without them. `lowered` lists the features. */
  lower?: boolean;
  /** Leaves out the rounding of halves that `lower` makes floats, so that results are not those of the module. */
  widerHalves?: boolean;
  /** The trap that replaces blocks behind run-time branches which require what the device is known not to have: `abort`, `silent` or `store:BUFFER:OFFSET`. */
  trap?: string;
  maxVersion?: [number, number];
  /** Avoids known defects of a driver. */
  workAround?: "nvidia" | "rusticl";
}

/** A report on specializing a module. */
export interface SpecializeReport {
  /** True if the module was packed. */
  multiTarget: boolean;
  keptParts: number;
  removedParts: number;
  removed: string[];
  removedFunctions: number;
  removedDefinitions: number;
  branches: number;
  removedBlocks: number;
  /** Clones of functions for calls whose arguments decide branches in them. */
  callClones: { function: string; name: string; calls: number }[];
  /** The functions with such calls that are not cloned, since the module would grow too much. */
  notCloned: string[];
  /** The number of specialization constants that became ordinary ones. */
  frozen: number;
  trimmed: string[] | null;
  /** The changes of `adapt`, such as "removed OpAssumeTrueKHR (2 times)", and those for an older version of SPIR-V. */
  adapted: string[];
  /** The features that `lower` lowered, each with what that costs. */
  lowered: string[];
  /** The parts that stay conditional. */
  undecided: { part: string; dependsOn: string }[];
  open: ConditionConstant[];
  unknown: ConditionConstant[];
  /** The SpecIds of the constants that took their default values. */
  defaulted: number[];
  newDefaults: number;
  ignored: string[];
  /** The blocks that became traps, by the ids that their labels had. */
  trapped: { function: string; block: number; source: string | null; requires: string[]; trap: string }[];
  unsupported: { entryPoint: string; missing: string }[];
  /** The features that the device may or may not have. If there are any, the device is not known to run the module. */
  notKnown: string[];
  removedReflection: { instruction: string; specIds: number[] }[];
  workAround: string | null;
}

export interface Specialized {
  module: Uint8Array;
  properties: string | null;
  report: SpecializeReport;
  /** The part of the interface that the module no longer has. */
  removedInterface: Record<string, any>;
  warnings: string[];
}

/** A verdict with the features that decide it, by name, such as `Float64` or `sub-group size 8`. */
export interface Compatibility {
  /** The device runs the module, does not run it since it does not have a feature, or that is not known since nothing says if it has one. */
  verdict: "runs" | "does not run" | "not known";
  /** The required features that the device does not have. */
  missing: string[];
  /** The features that the device may or may not have. */
  unknown: string[];
}

export interface Trimmed {
  module: Uint8Array;
  /** The property sets for the result, as a text: those that were given, without aspects that only removed declarations require. */
  properties: string | null;
  /** The names of the removed declarations. */
  removed: string[];
  /** The variables with storage that nothing writes, which are NonWritable now. */
  readOnly: string[];
}

export interface VulkanOptions extends Source, Configured {
  /** The version for which the application creates its instance and device; by default 1.0. */
  apiVersion?: [number, number];
  /** A device of the table: of alternatives, one is chosen that it supports. */
  device?: string;
}

/** What a Vulkan device needs for a module. */
export interface VulkanRequirements {
  version: [number, number];
  extensions: string[];
  features: { structure: string; member: string }[];
  properties: { structure: string; member: string; value: string }[];
  limits: { member: string; atLeast: number }[];
  /** What the device is known not to have. */
  missing: string[];
  /** Capabilities, extensions and versions of the module that the tables do not have. */
  unknown: string[];
}

/** The cause for which a call fails. An argument or an option of the wrong type is a TypeError, which names it. */
export class SpirvIfError extends Error {
  /** `load`: no module, or a damaged one; `refused`: the device does not run it, or is not known to, which `strict` refuses; `undecided`: something would stay conditional; `request`: the
   * options name what does not exist; `module`: the module breaks a rule; `internal`: a defect. */
  kind: "load" | "refused" | "undecided" | "too-new" | "request" | "module" | "internal";
  /** The name of the module that it is about. */
  module: string | null;
  details: { missing?: string[]; unknown?: string[]; superfluous?: string[]; constants?: { specId: number; condition: string | null; decision: string | null }[] };
}

/** Says where the WebAssembly is, before the first call; by default beside the script. */
export function load(from: string | URL | BufferSource | Response | WebAssembly.Module | PromiseLike<Response>): void;
export function devices(options?: Configured): Promise<Device[]>;
export function inspect(file: File, options?: InspectOptions): Promise<Inspection>;
/** Joins the answers of modules, also of several files; null for fewer than two. */
export function libraryAnswer(answers: Answer[]): Promise<LibraryAnswer | null>;
export function report(file: File, options?: InspectOptions): Promise<string>;
export function pack(file: File, options?: PackOptions): Promise<Packed>;
export function specialize(file: File, options?: SpecializeOptions): Promise<Specialized>;
/** What Vulkan must enable for a module as it is. */
export function vulkanRequirements(file: File, options?: VulkanOptions): Promise<VulkanRequirements>;
/** The verdict of `specialize` on a device, without a module. */
export function compatibility(file: File, options?: SpecializeOptions): Promise<Compatibility>;
export function trim(file: File, options?: Source & { strip?: boolean }): Promise<Trimmed>;
/** The module as assembly, one instruction a line, with ids as numbers. */
export function disassemble(file: File, options?: Source): Promise<string>;

/** A variant of a shader in a bundle. Each device gets the first one whose condition holds. */
export interface ShaderVariant {
  /** The condition on devices; null for all remaining ones. */
  condition: string | null;
  /** The specialization constants that the bundle fixes, by SpecId or name. */
  constants: Record<string, string>;
  /** The size of the module in bytes. */
  size: number;
}
export interface UnbundleOptions {
  /** The name of the shader. */
  shader: string;
  /** The number of the variant, from 0, of a shader that has several. */
  variant?: number;
  /** The device that the module is for: it gets its variant, specialized, with the constants that the bundle fixes. */
  specialize?: Omit<SpecializeOptions, keyof Source>;
}
/** The shaders of a bundle (`spirv-if bundle`), sorted by name. */
export function shaders(bundle: File): Promise<{ name: string; variants: ShaderVariant[] }[]>;
/** The bytes of the module of a shader in a bundle. */
export function unbundle(bundle: File, options: UnbundleOptions): Promise<Uint8Array>;
