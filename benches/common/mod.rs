//! Modules that several benchmarks write, and times.

// Each benchmark uses some of it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use spirv::{Capability, Op};

/// The words of a module while it is written.
pub struct ModuleWriter {
    words: Vec<u32>,
    bound: u32,
}

impl ModuleWriter {
    pub fn new(capabilities: &[Capability], memory_model: [u32; 2]) -> ModuleWriter {
        let mut words = ModuleWriter { words: vec![spirv::MAGIC_NUMBER, 0x0001_0400, 0, 0, 0], bound: 1 };
        capabilities.iter().for_each(|&capability| words.inst(Op::Capability, &[capability as u32]));
        words.inst(Op::MemoryModel, &memory_model);
        words
    }

    /// A module of kernels.
    pub fn kernels() -> ModuleWriter {
        ModuleWriter::new(&[Capability::Kernel, Capability::Linkage, Capability::Addresses], [2, 2])
    }

    /// A module of shaders.
    pub fn shaders() -> ModuleWriter {
        ModuleWriter::new(&[Capability::Shader, Capability::Linkage], [0, 1])
    }

    pub fn id(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    pub fn ids<const N: usize>(&mut self) -> [u32; N] {
        [(); N].map(|()| self.id())
    }

    pub fn many(&mut self, count: usize) -> Vec<u32> {
        (0..count).map(|_| self.id()).collect()
    }

    pub fn inst(&mut self, op: Op, operands: &[u32]) {
        self.words.push((operands.len() as u32 + 1) << 16 | op as u32);
        self.words.extend(operands);
    }

    /// An instruction with a string after its operands, and others after that.
    pub fn named(&mut self, op: Op, before: &[u32], name: &str, after: &[u32]) {
        let mut bytes = name.as_bytes().to_vec();
        bytes.resize(name.len() / 4 * 4 + 4, 0);
        let string =
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let operands: Vec<u32> = before.iter().copied().chain(string).chain(after.iter().copied()).collect();
        self.inst(op, &operands);
    }

    /// A function without parameters and result that calls others.
    pub fn function(&mut self, id: u32, [void, type_]: [u32; 2], calls: &[u32]) {
        self.inst(Op::Function, &[void, id, 0, type_]);
        let label = self.id();
        self.inst(Op::Label, &[label]);
        for &callee in calls {
            let result = self.id();
            self.inst(Op::FunctionCall, &[void, result, callee]);
        }
        self.inst(Op::Return, &[]);
        self.inst(Op::FunctionEnd, &[]);
    }

    pub fn void(&mut self) -> [u32; 2] {
        let [void, function] = self.ids();
        self.inst(Op::TypeVoid, &[void]);
        self.inst(Op::TypeFunction, &[function, void]);
        [void, function]
    }

    /// The words, with the header.
    pub fn end(mut self) -> Vec<u32> {
        self.words[3] = self.bound;
        self.words
    }
}

/// The shortest time of some rounds of a call, each with something prepared.
pub fn shortest<T>(rounds: usize, prepare: impl Fn() -> T, call: impl Fn(T)) -> Duration {
    let time = || {
        let prepared = prepare();
        let start = Instant::now();
        call(prepared);
        start.elapsed()
    };
    (0..rounds).map(|_| time()).min().unwrap_or_default()
}

/// Number of instructions that this program executes with some arguments, as cachegrind counts.
pub fn instructions(args: &[&str]) -> u64 {
    let cachegrind = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/bin/cachegrind");
    let mut command = Command::new(cachegrind);
    command.args(["--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    command.arg(std::env::current_exe().expect("it has a path")).args(args);
    let done = command.output().expect("scripts/setup.sh valgrind brings cachegrind");
    let text = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{text}");
    let (_, count) = text.rsplit_once("refs:").expect("it prints a count");
    count.trim().replace(',', "").parse().expect("it is a number")
}

/// `spirv-link`: that of SPIRV_LINK, or of target/tools, if it is there.
pub fn linker() -> Option<PathBuf> {
    let default_path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/bin/spirv-link");
    let path = std::env::var_os("SPIRV_LINK").map_or(default_path, PathBuf::from);
    Some(path).filter(|path| path.exists())
}
