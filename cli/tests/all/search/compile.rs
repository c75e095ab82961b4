//! The modules of a program: compiled in random ways, with or without debug information, and optimized by a random list of passes or not.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::naga;
use super::values::Constant;
use crate::common::{bytes_of, root, tool_file, words_of};
use crate::drivers::run_within;
use crate::random::Random;

/// Passes of spirv-opt that leave specialization constants to be set.
const PASSES: &[&str] = &[
    "--ccp",
    "--cfg-cleanup",
    "--combine-access-chains",
    "--compact-ids",
    "--convert-local-access-chains",
    "--copy-propagate-arrays",
    "--eliminate-dead-branches",
    "--eliminate-dead-code-aggressive",
    "--eliminate-dead-functions",
    "--eliminate-dead-inserts",
    "--eliminate-insert-extract",
    "--eliminate-local-multi-store",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--fold-spec-const-op-composite",
    "--if-conversion",
    "--inline-entry-points-exhaustive",
    "--local-redundancy-elimination",
    "--loop-fission",
    "--loop-invariant-code-motion",
    "--loop-peeling",
    "--loop-unroll",
    "--loop-unswitch",
    "--merge-blocks",
    "--merge-return",
    "--private-to-local",
    "--reduce-load-size",
    "--redundancy-elimination",
    "--scalar-replacement=100",
    "--simplify-instructions",
    "--ssa-rewrite",
    "--strength-reduction",
    "--unify-const",
    "--vector-dce",
    "-O",
    "-Os",
];

/// Passes that inline functions, which removes conditional calls: naga accepts these modules.
const INLINING: &[&str] = &["--inline-entry-points-exhaustive", "-O", "-Os"];

/// Passes that change kernels: most leave modules with pointers alone.
const KERNEL_PASSES: &[&str] = &[
    "--ccp",
    "--cfg-cleanup",
    "--compact-ids",
    "--eliminate-dead-branches",
    "--eliminate-dead-code-aggressive",
    "--eliminate-dead-functions",
    "--fold-spec-const-op-composite",
    "--merge-blocks",
    "--redundancy-elimination",
    "--simplify-instructions",
    "--unify-const",
];

/// The commands that compile a program.
pub struct Build {
    /// The commands, one after another. Of their words, SOURCE, BETWEEN and MODULE are files.
    commands: Vec<Vec<String>>,
    /// True if code may be required everywhere that is conditional in the source: optimizers move it from guarded blocks, and guards may
    /// be read from variables.
    pub loses_guards: bool,
}

/// The time that a command may take.
const LIMIT: Duration = Duration::from_secs(30);

const SOURCE: &str = "SOURCE";
const BETWEEN: &str = "BETWEEN";
const MODULE: &str = "MODULE";

/// Shaders in GLSL.
pub fn glsl(random: &mut Random) -> Build {
    let debug = *random.pick(&[None, None, Some("-g"), Some("-gV"), Some("-gVS")]);
    let environment = *random.pick(&["vulkan1.1", "vulkan1.2", "vulkan1.3"]);
    let mut build = Build { commands: Vec::new(), loses_guards: false };
    build.add(["glslangValidator", "--quiet", "-V", "--target-env", environment].into_iter().chain(debug));
    build.add_last([SOURCE, "-o", MODULE]);
    build.optimize(random, &format!("--target-env={environment}"), PASSES, 50);
    build
}

/// Kernels in OpenCL C.
pub fn opencl_c(random: &mut Random) -> Build {
    let version = random.pick(&["-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0"]);
    clang(random, version)
}

/// Kernels in C++ for OpenCL.
pub fn opencl_cpp(random: &mut Random) -> Build {
    let version = random.pick(&["-cl-std=CLC++1.0", "-cl-std=CLC++2021"]);
    clang(random, version)
}

/// Shaders in Slang.
pub fn slang(random: &mut Random) -> Build {
    let version = *random.pick(&["spirv_1_3", "spirv_1_4", "spirv_1_5"]);
    let environment = match version {
        "spirv_1_3" => "vulkan1.1",
        "spirv_1_4" => "vulkan1.1spv1.4",
        _ => "vulkan1.2",
    };
    let debug = *random.pick(&[None, None, Some("-g1"), Some("-g2"), Some("-g3")]);
    let mut build = Build { commands: Vec::new(), loses_guards: false };
    // More than -O0 needs a library that the package has not.
    build.add(["slangc", "-target", "spirv", "-profile", version, "-O0", "-fp-mode", "precise"]);
    build.add_last(["-entry", "main", "-stage", "compute", "-I", "include"].into_iter().chain(debug));
    build.add_last([SOURCE, "-o", MODULE]);
    build.optimize(random, &format!("--target-env={environment}"), PASSES, 50);
    build
}

/// Shaders in WGSL.
pub fn wgsl(random: &mut Random) -> Build {
    let version = *random.pick(&["1.3", "1.4", "1.5"]);
    let environment = match version {
        "1.3" => "vulkan1.1",
        "1.4" => "vulkan1.1spv1.4",
        _ => "vulkan1.2",
    };
    let mut build = Build { commands: Vec::new(), loses_guards: false };
    build.add(["clang", "-E", "-P", "-undef", "-x", "c", "-I", "include", SOURCE, "-o", BETWEEN]);
    build.add(["naga", "-g", "--validate", ALL_BUT_UNIFORMITY, "--spirv-version", version]);
    build.add_last(["--input-kind", "wgsl", BETWEEN, MODULE]);
    let passes: Vec<&str> = PASSES.iter().copied().filter(|pass| !INLINING.contains(pass)).collect();
    build.optimize(random, &format!("--target-env={environment}"), &passes, 50);
    build
}

/// The checks of naga but one: it takes no variable for the same in all invocations.
const ALL_BUT_UNIFORMITY: &str = "59";

/// clang with its own backend, or with the translator.
fn clang(random: &mut Random, version: &str) -> Build {
    let level = *random.pick(&["-O0", "-O0", "-O1", "-O2", "-O3", "-Os"]);
    let mut build = Build { commands: Vec::new(), loses_guards: level != "-O0" };
    // Integers overflow as they do in other languages. PoCL has no `fma` and no `mad` of halves, which contracted operations become, and so could
    // not confirm results of another driver.
    build.add(["clang", version, level, "-fwrapv", "-ffp-contract=off", "-I", "include"]);
    let is_debugged = random.chance(35);
    let is_translated = random.chance(40);
    if is_debugged && is_translated {
        // The translator crashes at more, and of newer versions makes checksums of files, which spirv-val takes for their texts.
        build.add_last(["-gdwarf-4", "-gline-tables-only"]);
    } else if is_debugged {
        build.add_last([*random.pick(&["-g", "-g", "-gline-tables-only"])]);
    }
    // Functions of the program are its own, are not inlined, or are exported.
    build.add_last([*random.pick(&["-DOWN=static", "-DOWN=KEPT", "-DOWN=EXPORTED"])]);
    build.add_last([*random.pick(&["-DWIDE_OWN=static", "-DWIDE_OWN=KEPT"])]);
    if random.chance(30) {
        build.add_last(["-DREAD_ONCE"]);
        build.loses_guards = true;
    }
    let module_version = random.pick(&["1.2", "1.3", "1.4"]);
    if !is_translated {
        build.add_last([format!("--target=spirv64v{module_version}").as_str()]);
        if is_debugged {
            let extension = "--spirv-ext=+SPV_KHR_non_semantic_info";
            build.add_last(["-Xclang", "-mllvm", "-Xclang", extension]);
        }
        build.add_last(["-c", SOURCE, "-o", MODULE]);
    } else {
        build.add_last(["--target=spir64", "-emit-llvm", "-c", SOURCE, "-o", BETWEEN]);
        build.add(["llvm-spirv", &format!("--spirv-max-version={module_version}")]);
        if is_debugged {
            // Of the other kinds, it makes no valid modules.
            build.add_last(["--spirv-debug-info-version=ocl-100"]);
        }
        build.add_last([BETWEEN, "-o", MODULE]);
    }
    build.optimize(random, &format!("--target-env=spv{module_version}"), KERNEL_PASSES, 75);
    build
}

impl Build {
    fn add<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        self.commands.push(Vec::new());
        self.add_last(words);
    }

    fn add_last<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        self.commands.last_mut().unwrap().extend(words.into_iter().map(str::to_owned));
    }

    /// Adds random passes, but so often of a hundred times none.
    fn optimize(&mut self, random: &mut Random, environment: &str, passes: &[&'static str], none: usize) {
        let count = if random.chance(none) { 0 } else { 1 + random.below(8) };
        if count == 0 {
            return;
        }
        self.add(["spirv-opt", environment]);
        for _ in 0..count {
            self.add_last([*random.pick(passes)]);
        }
        self.add_last([MODULE, "-o", MODULE]);
        self.loses_guards = true;
    }

    /// The commands for files, the first with more options.
    fn commands(&self, source: &Path, module: &Path, options: &[String]) -> Vec<Vec<String>> {
        let named = |word: &String| match word.as_str() {
            SOURCE => source.display().to_string(),
            BETWEEN => module.with_extension("between").display().to_string(),
            MODULE => module.display().to_string(),
            _ => word.clone(),
        };
        let mut commands: Vec<Vec<String>> =
            self.commands.iter().map(|command| command.iter().map(named).collect()).collect();
        if let Some(first) = commands.first_mut() {
            first.extend_from_slice(options);
        }
        commands
    }

    /// The module of a source, as bytes; none if spirv-opt does not make a valid one, or another compiler crashes. naga's gets specialization
    /// constants.
    pub fn compile(
        &self,
        source: &Path,
        module: &Path,
        options: &[String],
        constants: &[Constant],
    ) -> Result<Option<Vec<u8>>, String> {
        for command in self.commands(source, module, options) {
            println!("{}", shown(&command));
            let (variable, file) = place(&command[0]);
            let program = tool_file(&variable, &file);
            let ended = run_within(Command::new(program).args(&command[1..]).current_dir(root()), LIMIT);
            let ended = ended.map_err(|error| error.to_string())?;
            let Some(problem) = ended.problem else {
                if command[0] == "naga" {
                    println!("(less layouts, with constants: cli/tests/all/search/naga.rs)");
                    let words = words_of(&std::fs::read(module).map_err(|error| error.to_string())?);
                    let words = naga::with_constants(&naga::without_surplus(&words), constants);
                    std::fs::write(module, bytes_of(&words)).map_err(|error| error.to_string())?;
                }
                continue;
            };
            println!("{}", ended.output);
            // Some passes never end.
            return match &*command[0] {
                "spirv-opt" => Ok(None),
                "clang" | "llvm-spirv" if ended.output.contains("PLEASE submit a bug report") => Ok(None),
                // Optimizers of LLVM use integers of all widths; SPIR-V has few.
                "llvm-spirv" if ended.output.contains("InvalidBitWidth") => Ok(None),
                _ => Err(format!("{} {problem}", command[0])),
            };
        }
        std::fs::read(module).map(Some).map_err(|error| error.to_string())
    }
}

/// The variable that names a compiler, and its file in the tools.
fn place(name: &str) -> (String, String) {
    let variable = match name {
        "glslangValidator" => "GLSLANG".to_owned(),
        _ => name.to_uppercase().replace('-', "_"),
    };
    (variable, format!("bin/{name}"))
}

/// True if there is a compiler of that name.
pub fn is_there(name: &str) -> bool {
    let (variable, file) = place(name);
    std::env::var_os(variable).map_or(root().join("target/tools").join(file), PathBuf::from).exists()
}

/// A command as a shell takes it.
fn shown(command: &[String]) -> String {
    let word = |word: &String| match word.contains(['(', ' ', '#']) {
        true => format!("'{word}'"),
        false => word.clone(),
    };
    command.iter().map(word).collect::<Vec<_>>().join(" ")
}
