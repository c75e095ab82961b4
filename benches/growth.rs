//! Growth of time with inputs that are large in one way: `cargo bench --bench growth`.
//!
//! For each kind of input, a table of its size, doubled three times, and the time of one call; and the exponent between the first and the last:
//! 1 for time by the size, 2 for its square. Nothing here is measured against a limit: machines are noisy, and small times more so.

mod common;

use std::fmt::Write;
use std::hint::black_box;

use common::{ModuleWriter, shortest};
use spirv::{Capability, Decoration, ExecutionMode, ExecutionModel, LinkageType, Op};
use spirv_if::inspect::Inspector;
use spirv_if::link::{LinkOptions, link};
use spirv_if::module::Annotations;
use spirv_if::property_sets::PropertySets;
use spirv_if::split::{SplitMode, SplitOptions, split};
use spirv_if::trim::trim;
use spirv_if::{Device, InspectOptions, Module, PackOptions, Prepared, Settings, pack};

/// Number of times that each size is measured; the shortest time counts.
const ROUNDS: usize = 3;

/// A kind of input: its name, the smallest size, and what makes an input of a size and returns the call to measure.
type GrowthKind = (&'static str, usize, fn(usize) -> Box<dyn Fn()>);

const KINDS: [GrowthKind; 12] = [
    ("property sets, parsed", 25_000, property_sets),
    ("properties of one set, parsed", 25_000, properties),
    ("YAML nesting, refused", 25_000, yaml_nesting),
    ("selections in each other on one constant, specialized", 2_000, selections),
    ("`otherwise` in a chain, packed", 50, otherwise),
    ("conditional calls in each other, packed", 100, conditional_calls),
    ("decoration groups, trimmed", 10_000, decoration_groups),
    ("constants set, specialized", 5_000, constants),
    ("translation units, linked", 50, units),
    ("kernels that share a chain of calls, inspected", 250, shared_inspected),
    ("exported functions that nothing calls, inspected", 250, exports_inspected),
    ("kernels, split", 500, kernels_split),
    ("conditions of a packed module, inspected", 25, packed_inspected),
];

fn main() {
    // Cargo's own arguments, such as --bench, are none of ours.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    for (name, first, make) in KINDS {
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let sizes = [1, 2, 4, 8].map(|factor| first * factor);
        let times = sizes.map(|size| {
            let call = make(size);
            shortest(ROUNDS, || (), |()| call())
        });
        let mut row = format!("{name:<56}");
        for (size, time) in sizes.iter().zip(times) {
            let _ = write!(row, " {size:>7} {:>9.3} ms", time.as_secs_f64() * 1e3);
        }
        let exponent = (times[3].as_secs_f64() / times[0].as_secs_f64()).log2() / 3.0;
        println!("{row}   exponent {exponent:.2}");
    }
}

fn load(words: &[u32]) -> Module<'_> {
    Module::from_words(words).expect("it loads")
}

fn property_sets(size: usize) -> Box<dyn Fn()> {
    let text: String = (0..size).map(|number| format!("[Set{number}]\na=1|{number}\n")).collect();
    Box::new(move || drop(black_box(PropertySets::parse("a.prop", &text).expect("it is valid"))))
}

fn properties(size: usize) -> Box<dyn Fn()> {
    let lines: String = (0..size).map(|number| format!("a{number}=1|{number}\n")).collect();
    let text = format!("[Set]\n{lines}");
    Box::new(move || drop(black_box(PropertySets::parse("a.prop", &text).expect("it is valid"))))
}

fn yaml_nesting(size: usize) -> Box<dyn Fn()> {
    let text = format!("functions: {}{}\n", "[".repeat(size), "]".repeat(size));
    Box::new(move || assert!(Annotations::from_yaml("a.yaml", &text).is_err()))
}

/// `if (c) { if (c) { ... } }`.
fn selections(size: usize) -> Box<dyn Fn()> {
    let mut words = ModuleWriter::shaders();
    let [main, constant, bool, first] = words.ids();
    words.named(Op::EntryPoint, &[ExecutionModel::GLCompute as u32, main], "main", &[]);
    words.inst(Op::ExecutionMode, &[main, ExecutionMode::LocalSize as u32, 1, 1, 1]);
    words.inst(Op::Decorate, &[constant, Decoration::SpecId as u32, 0]);
    let [void, type_] = words.void();
    words.inst(Op::TypeBool, &[bool]);
    words.inst(Op::SpecConstantTrue, &[bool, constant]);
    let (inside, merges) = (words.many(size), words.many(size));
    words.inst(Op::Function, &[void, main, 0, type_]);
    words.inst(Op::Label, &[first]);
    for (&inside, &merge) in inside.iter().zip(&merges) {
        words.inst(Op::SelectionMerge, &[merge, 0]);
        words.inst(Op::BranchConditional, &[constant, inside, merge]);
        words.inst(Op::Label, &[inside]);
    }
    for &merge in merges.iter().rev() {
        words.inst(Op::Branch, &[merge]);
        words.inst(Op::Label, &[merge]);
    }
    words.inst(Op::Return, &[]);
    words.inst(Op::FunctionEnd, &[]);
    let words = words.end();
    Box::new(move || {
        let module = load(&words);
        let settings = Settings::new().set(0, true);
        let prepared = Prepared::new(&module).expect("it is valid");
        drop(black_box(prepared.specialize(&Device::default(), &settings).expect("it is valid")));
    })
}

/// A kernel that calls f0; each fN calls the next one, if `nested`.
fn chain(size: usize, nested: bool) -> Vec<u32> {
    let mut words = ModuleWriter::kernels();
    let kernel = words.id();
    let functions = words.many(size + 1);
    words.named(Op::EntryPoint, &[ExecutionModel::Kernel as u32, kernel], "k", &[]);
    for (number, &function) in functions.iter().enumerate() {
        words.named(Op::Name, &[function], &format!("f{number}"), &[]);
    }
    let types = words.void();
    for (number, &function) in functions.iter().enumerate() {
        let next = functions.get(number + 1).filter(|_| nested);
        words.function(function, types, next.map_or(&[], std::slice::from_ref));
    }
    words.function(kernel, types, &functions[..1]);
    words.end()
}

fn packed(words: Vec<u32>, annotations: &str) -> Box<dyn Fn()> {
    let annotations = Annotations::from_yaml("a.yaml", annotations).expect("it is valid");
    Box::new(move || {
        let module = load(&words).with_annotations(&annotations).expect("it is valid");
        drop(black_box(pack(&module, &PackOptions::default()).expect("it can be packed")));
    })
}

fn otherwise(size: usize) -> Box<dyn Fn()> {
    let row = |number| {
        let aspect = if number % 2 == 0 { "fp16" } else { "fp64" };
        format!("  f{number}: {{when: {aspect}, otherwise: f{}}}\n", number + 1)
    };
    packed(chain(size, false), &format!("functions:\n{}", (0..size).map(row).collect::<String>()))
}

fn conditional_calls(size: usize) -> Box<dyn Fn()> {
    let row = |number| format!("  f{number}: {{when: {}}}\n", if number % 2 == 0 { "fp16" } else { "fp64" });
    packed(chain(size, true), &format!("functions:\n{}", (1..=size).map(row).collect::<String>()))
}

/// Structures that are blocks by groups of their own.
fn decoration_groups(size: usize) -> Box<dyn Fn()> {
    let mut words = ModuleWriter::shaders();
    let uint = words.id();
    let (groups, structures) = (words.many(size), words.many(size));
    for (&group, &structure) in groups.iter().zip(&structures) {
        words.inst(Op::Decorate, &[group, Decoration::Block as u32]);
        words.inst(Op::DecorationGroup, &[group]);
        words.inst(Op::GroupDecorate, &[group, structure]);
    }
    words.inst(Op::TypeInt, &[uint, 32, 0]);
    structures.iter().for_each(|&structure| words.inst(Op::TypeStruct, &[structure, uint]));
    let words = words.end();
    Box::new(move || drop(black_box(trim(&load(&words)).expect("it is valid"))))
}

fn constants(size: usize) -> Box<dyn Fn()> {
    let mut words = ModuleWriter::shaders();
    let uint = words.id();
    let constants = words.many(size);
    for (number, &constant) in constants.iter().enumerate() {
        words.inst(Op::Decorate, &[constant, Decoration::SpecId as u32, number as u32]);
    }
    words.inst(Op::TypeInt, &[uint, 32, 0]);
    constants.iter().for_each(|&constant| words.inst(Op::SpecConstant, &[uint, constant, 1]));
    let words = words.end();
    let settings = (0..size as u32).fold(Settings::new(), |settings, spec_id| settings.set(spec_id, 2));
    Box::new(move || {
        let module = load(&words);
        let prepared = Prepared::new(&module).expect("it is valid");
        drop(black_box(prepared.specialize(&Device::default(), &settings).expect("it is valid")));
    })
}

/// Each unit calls a function of the next one.
fn units(size: usize) -> Box<dyn Fn()> {
    let unit = |number: usize| {
        let mut words = ModuleWriter::kernels();
        let [function, other] = words.ids();
        let is_last = number + 1 == size;
        let linkage = |words: &mut ModuleWriter, id: u32, name: String, linkage: u32| {
            words.named(Op::Decorate, &[id, Decoration::LinkageAttributes as u32], &name, &[linkage]);
        };
        linkage(&mut words, function, format!("f{number}"), 0);
        if !is_last {
            linkage(&mut words, other, format!("f{}", number + 1), 1);
        }
        let [void, type_] = words.void();
        if !is_last {
            words.inst(Op::Function, &[void, other, 0, type_]);
            words.inst(Op::FunctionEnd, &[]);
        }
        words.function(function, [void, type_], if is_last { &[] } else { std::slice::from_ref(&other) });
        words.end()
    };
    let units: Vec<Vec<u32>> = (0..size).map(unit).collect();
    Box::new(move || {
        let modules: Vec<Module> = units.iter().map(|words| load(words)).collect();
        drop(black_box(link(&modules, &LinkOptions::new()).expect("they fit")));
    })
}

/// As many kernels as functions in a chain, which each kernel calls.
fn shared_inspected(size: usize) -> Box<dyn Fn()> {
    inspected(kernels(size, true))
}

fn inspected(words: Vec<u32>) -> Box<dyn Fn()> {
    let options = InspectOptions::default();
    Box::new(move || {
        let inspector = Inspector::new(&options).expect("they are valid");
        drop(black_box(inspector.inspect(&load(&words)).expect("it is valid")));
    })
}

/// A kernel, and exported functions of which every other one computes with doubles.
fn exports_inspected(size: usize) -> Box<dyn Fn()> {
    let mut words = ModuleWriter::kernels();
    words.inst(Op::Capability, &[Capability::Float64 as u32]);
    let [kernel, double, zero] = words.ids();
    let functions = words.many(size);
    words.named(Op::EntryPoint, &[ExecutionModel::Kernel as u32, kernel], "k", &[]);
    for (number, &function) in functions.iter().enumerate() {
        let linkage = [function, Decoration::LinkageAttributes as u32];
        words.named(Op::Decorate, &linkage, &format!("f{number}"), &[LinkageType::Export as u32]);
    }
    let types @ [void, type_] = words.void();
    words.inst(Op::TypeFloat, &[double, 64]);
    words.inst(Op::ConstantNull, &[double, zero]);
    words.function(kernel, types, &[]);
    for (number, &function) in functions.iter().enumerate() {
        words.inst(Op::Function, &[void, function, 0, type_]);
        let [label, sum] = words.ids();
        words.inst(Op::Label, &[label]);
        if number % 2 == 0 {
            words.inst(Op::FAdd, &[double, sum, zero, zero]);
        }
        words.inst(Op::Return, &[]);
        words.inst(Op::FunctionEnd, &[]);
    }
    inspected(words.end())
}

fn kernels_split(size: usize) -> Box<dyn Fn()> {
    let words = kernels(size, false);
    let options = SplitOptions::new().mode(SplitMode::Kernel);
    Box::new(move || {
        let module = load(&words);
        let split = split(&module, &options).expect("it can be split");
        (0..split.plans().len())
            .for_each(|number| drop(black_box(split.image(number).expect("it is valid"))));
    })
}

/// Kernels; with a chain of as many functions that each of them calls, if they share one.
fn kernels(size: usize, share: bool) -> Vec<u32> {
    let mut words = ModuleWriter::kernels();
    let kernels = words.many(size);
    let functions = words.many(if share { size } else { 0 });
    for (number, &kernel) in kernels.iter().enumerate() {
        words.named(Op::EntryPoint, &[ExecutionModel::Kernel as u32, kernel], &format!("k{number}"), &[]);
    }
    let types = words.void();
    for (number, &function) in functions.iter().enumerate() {
        words.function(function, types, functions.get(number + 1).map_or(&[], std::slice::from_ref));
    }
    let first = functions.first().map_or(&[][..], std::slice::from_ref);
    kernels.iter().for_each(|&kernel| words.function(kernel, types, first));
    words.end()
}

/// A kernel that calls functions, each where the host decides so, and is packed.
fn packed_inspected(size: usize) -> Box<dyn Fn()> {
    let mut words = ModuleWriter::kernels();
    let kernel = words.id();
    let functions = words.many(size);
    words.named(Op::EntryPoint, &[ExecutionModel::Kernel as u32, kernel], "k", &[]);
    for (number, &function) in functions.iter().enumerate() {
        let name = format!("call_if_on_device_conditionally_n8_d{number}_n8_f{number}");
        words.named(Op::Name, &[function], &name, &[]);
    }
    let types = words.void();
    functions.iter().for_each(|&function| words.function(function, types, &[]));
    words.function(kernel, types, &functions);
    let words = words.end();
    let packed = pack(&load(&words), &PackOptions::default()).expect("it can be packed").words;
    let options = InspectOptions::default();
    Box::new(move || {
        let inspector = Inspector::new(&options).expect("they are valid");
        drop(black_box(inspector.inspect(&load(&packed)).expect("it is valid")));
    })
}
