//! Inputs of the targets. An input is a plain file of SPIR-V. The options of a call follow from the generator's number in the header, which
//! has no other meaning. So mutating that word chooses other options.

use std::fmt::Write;
use std::sync::LazyLock;

use spirv_if::module::Annotations;
use spirv_if::{Device, Module};

use crate::instructions::{Instructions, MAGIC, op, opcode, words};
use crate::mutate::split;
use crate::oracles::bounded;
use crate::random::Random;

/// Names of devices that differ in most conditions.
const DEVICES: [&str; 6] =
    ["intel_gpu_pvc", "intel_gpu_dg1", "intel_gpu_acm_g10", "nvidia_gpu_sm_50", "nvidia_gpu_sm_90", "x86_64"];

/// The largest id bound that the loader does not refuse.
const MAX_IDS: u32 = 0x3f_ffff;

/// Returns the number of ids in a module's header, in either byte order.
pub fn declared_ids(words: &[u32]) -> usize {
    let bound = match *words {
        [MAGIC, _, _, bound, ..] => bound,
        [magic, _, _, bound, ..] if magic.swap_bytes() == MAGIC => bound.swap_bytes(),
        _ => 0,
    };
    bound.min(MAX_IDS) as usize
}

/// The smallest modules, a kernel and a shader, each with the options of several numbers.
pub fn smallest() -> [Vec<u8>; 64] {
    std::array::from_fn(|number| {
        let is_kernel = number % 2 == 0;
        let capabilities: &[u32] = if is_kernel { &[4, 6] } else { &[1] };
        let (addressing, memory, execution) = if is_kernel { (2, 2, 6) } else { (0, 1, 5) };
        let mut words = vec![MAGIC, 0x0001_0000, number as u32, 5, 0];
        for &capability in capabilities {
            words.extend([2 << 16 | op::CAPABILITY, capability]);
        }
        words.extend([3 << 16 | op::MEMORY_MODEL, addressing, memory]);
        words.extend([5 << 16 | op::ENTRY_POINT, execution, 1, u32::from_le_bytes(*b"main"), 0]);
        if !is_kernel {
            words.extend([6 << 16 | op::EXECUTION_MODE, 1, 17, 1, 1, 1]);
        }
        words.extend([2 << 16 | op::TYPE_VOID, 2, 3 << 16 | op::TYPE_FUNCTION, 3, 2]);
        words.extend([5 << 16 | op::FUNCTION, 2, 1, 0, 3, 2 << 16 | op::LABEL, 4]);
        words.extend([1 << 16 | op::RETURN, 1 << 16 | op::FUNCTION_END]);
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    })
}

/// A module that loads, or several.
pub struct Input<'a> {
    /// The modules, with annotations where the options say so.
    pub modules: Vec<Module<'a>>,
    /// The size that bounds the resources of calls, in bytes: of the words, or of the ids if these are more.
    pub size: usize,
    /// The source of options.
    pub options: Random,
}

/// The words of an input.
pub struct Words(Vec<u32>);

impl Words {
    /// Reads the bytes of an input.
    pub fn read(bytes: &[u8]) -> Words {
        Words(words(bytes))
    }

    /// The first module, with annotations in one of four cases.
    pub fn one(&self) -> Option<Input<'_>> {
        let mut input = Input::from_modules([&self.0[..]])?;
        if input.options.once_in(4) {
            let text = annotations(&self.0, &mut input.options)?;
            let annotations = Annotations::from_yaml("a.yaml", &text).expect("annotations");
            input.size += text.len();
            let module = input.modules.pop()?;
            // The rest has been checked, so an error is an error of the annotations.
            input.modules.push(bounded(input.size, || module.clone().with_annotations(&annotations)).ok()?);
        }
        Some(input)
    }

    /// All modules, one after the other.
    pub fn several(&self) -> Option<Input<'_>> {
        Input::from_modules(split(&self.0))
    }
}

impl<'a> Input<'a> {
    fn from_modules(all: impl IntoIterator<Item = &'a [u32]>) -> Option<Input<'a>> {
        let mut input = Input { modules: Vec::new(), size: 0, options: Random::new(0) };
        for words in all {
            let [_, _, options, ..] = *words else { return None };
            if input.modules.is_empty() {
                input.options = Random::new(options);
            }
            let size = 4 * words.len().max(declared_ids(words));
            input.modules.push(bounded(size, || Module::from_words(words)).ok()?);
            input.size += size;
        }
        Some(input).filter(|input| !input.modules.is_empty())
    }

    /// Returns a device: one about which nothing is known, or one of a few.
    pub fn device(&mut self) -> &'static Device {
        static ALL: LazyLock<Vec<Device>> = LazyLock::new(|| {
            let named = DEVICES.iter().map(|name| Device::embedded(name).expect("a device of the table"));
            [Device::default()].into_iter().chain(named).collect()
        });
        &ALL[self.options.below(ALL.len())]
    }
}

/// Annotations of functions and constants of a module.
fn annotations(words: &[u32], options: &mut Random) -> Option<String> {
    let module = Instructions::read(words)?;
    let mut text =
        "types: {half: fp16}\nspec-constants: {0: fp16, 1: fp64, 2: '!fp16'}\nfunctions:\n".to_owned();
    let of_all = options.one_of(&["uses: fp16, source: a", "source: b", "when: fp16"])?;
    text += &format!("  'm*': {{{of_all}}}\n");
    let functions: Vec<u32> =
        module.functions().iter().filter_map(|&(start, _)| module.all[start].get(2).copied()).collect();
    for function in functions.iter().take(20) {
        let other = options.one_of(&functions)?;
        let when = options.one_of(&["fp16", "fp64", "!fp16", "fp16 && arch(intel_gpu_pvc)"])?;
        let written = match options.below(4) {
            0 => writeln!(text, "  '%{function}': {{when: '{when}', otherwise: '%{other}'}}"),
            1 => writeln!(text, "  '%{function}': {{when: '{when}'}}"),
            2 => writeln!(text, "  '%{function}': {{uses: fp64}}"),
            _ => Ok(()),
        };
        written.ok()?;
    }
    Some(text)
}

/// Returns the SpecIds of a module, each with true for a Boolean.
pub fn spec_ids(module: &Module) -> Vec<(u32, bool)> {
    let Some(module) = Instructions::read(module.words()) else { return Vec::new() };
    let is_boolean = |id: u32| {
        let opcodes = [op::SPEC_CONSTANT_TRUE, op::SPEC_CONSTANT_TRUE + 1];
        module.all.iter().any(|inst| opcodes.contains(&opcode(inst)) && inst.get(2) == Some(&id))
    };
    let spec_id = |inst: &Vec<u32>| match inst[..] {
        [_, id, 1, spec_id] if opcode(inst) == op::DECORATE => Some((spec_id, is_boolean(id))),
        _ => None,
    };
    module.all.iter().filter_map(spec_id).collect()
}
