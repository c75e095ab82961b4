//! Growth of work with inputs that are large in one way: `cargo bench --bench growth`.
//!
//! For each kind of input, a row of a table: a size and eight times as much, the exponent of the instructions of one call, 1 for work by the size and 2
//! for its square, and those instructions. It fails if an exponent is above its bound. `scripts/setup.sh valgrind` brings cachegrind, which
//! counts. With `NAME SIZE COUNT` alone, the program makes the call of a kind.

mod common;

use std::hint::black_box;
use std::process::exit;

use common::{ModuleWriter, instructions};
use spirv::{
    AddressingModel, Capability, Decoration, ExecutionMode, ExecutionModel, LinkageType, Op, StorageClass,
};
use spirv_if::link::{LinkOptions, link};
use spirv_if::merge::{MergeOptions, Variant, merge};
use spirv_if::module::{Annotations, find_modules};
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::FeaturesToLower;
use spirv_if::trim::trim;
use spirv_if::{Condition, Device, Module, PackOptions, Prepared, Settings, pack};
use spirv_if_inspect::InspectOptions;
use spirv_if_inspect::Inspector;
use spirv_if_sycl::split::{PostLink, Split, SplitMode, SplitOptions, split};

/// A call to measure.
type Call = Box<dyn Fn()>;

/// A kind of input: its name, the smaller size, the highest exponent, and what makes an input of a size.
type GrowthKind = (&'static str, usize, f64, fn(usize) -> Call);

/// Sorting takes a little more than linear time.
const LINEAR: f64 = 1.1;

const KINDS: [GrowthKind; 22] = [
    ("property sets, parsed", 25_000, LINEAR, property_sets),
    ("properties of one set, parsed", 25_000, LINEAR, properties),
    ("YAML nesting, refused", 25_000, LINEAR, yaml_nesting),
    ("modules in a file, found", 500, LINEAR, embedded),
    ("selections in each other on one constant, specialized", 2_000, LINEAR, selections),
    ("`otherwise` in a chain, packed", 50, 2.0, otherwise),
    ("conditional calls in each other, packed", 100, LINEAR, conditional_calls),
    ("conditions of one capability, packed again", 25, 1.8, |size| conditions(size, packs)),
    ("conditions of one capability, specialized", 25, 1.7, |size| conditions(size, specializes)),
    ("conditions of one capability, inspected", 25, 1.6, |size| conditions(size, inspects)),
    ("variants, merged", 25, 2.1, variants),
    ("merged variants, specialized", 25, 1.8, |size| merged(size, specializes)),
    ("merged variants, inspected", 10, 2.7, |size| merged(size, inspects)),
    ("decoration groups, trimmed", 10_000, LINEAR, decoration_groups),
    ("constants set, specialized", 5_000, LINEAR, constants),
    ("translation units, linked into a program of one image", 50, LINEAR, units),
    ("kernels that share a chain of calls, inspected", 250, LINEAR, shared_inspected),
    ("exported functions, inspected", 500, LINEAR, exports),
    ("kernels, split", 500, 1.5, kernels_split),
    ("operations on 64-bit integers and doubles, lowered", 2_000, LINEAR, lowered),
    ("operations on halves in buffers, lowered", 2_000, LINEAR, |size| halves_lowered(size, false)),
    ("operations on halves behind physical pointers, lowered", 2_000, LINEAR, |size| {
        halves_lowered(size, true)
    }),
];

/// The larger size is so many times the smaller one.
const FACTOR: usize = 8;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [name, size, count] = &args[..] {
        let (_, _, _, make) = KINDS.into_iter().find(|kind| kind.0 == name).expect("a kind has this name");
        let call = make(size.parse().expect("a size"));
        return (0..count.parse().expect("a count")).for_each(|_| call());
    }
    // Cargo's own arguments, such as --bench, are none of ours.
    let wanted: Vec<&String> = args.iter().filter(|word| !word.starts_with("--")).collect();
    let mut is_exceeded = false;
    for (name, size, bound, _) in KINDS {
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let [smaller, larger] = [size, FACTOR * size].map(|size| of_a_call(name, size));
        let exponent = (larger as f64 / smaller as f64).log(FACTOR as f64);
        println!(
            "| {name} | {size} to {} | {exponent:.2} | {:.1} to {:.1} million |",
            FACTOR * size,
            smaller as f64 / 1e6,
            larger as f64 / 1e6
        );
        if exponent > bound {
            eprintln!("{name}: the exponent {exponent:.2} is above {bound}");
            is_exceeded = true;
        }
    }
    exit(is_exceeded.into());
}

/// The instructions of a call, without those that make its input, and that only a first call executes.
fn of_a_call(name: &str, size: usize) -> u64 {
    let [once, twice] = ["1", "2"].map(|count| instructions(&[name, &size.to_string(), count]));
    twice - once
}

fn load(words: &[u32]) -> Module<'_> {
    Module::from_words(words).expect("it loads")
}

fn property_sets(size: usize) -> Call {
    let text: String = (0..size).map(|number| format!("[Set{number}]\na=1|{number}\n")).collect();
    Box::new(move || drop(black_box(PropertySets::parse("a.prop", &text).expect("it is valid"))))
}

fn properties(size: usize) -> Call {
    let lines: String = (0..size).map(|number| format!("a{number}=1|{number}\n")).collect();
    let text = format!("[Set]\n{lines}");
    Box::new(move || drop(black_box(PropertySets::parse("a.prop", &text).expect("it is valid"))))
}

fn yaml_nesting(size: usize) -> Call {
    let text = format!("functions: {}{}\n", "[".repeat(size), "]".repeat(size));
    Box::new(move || assert!(Annotations::from_yaml("a.yaml", &text).is_err()))
}

/// `if (c) { if (c) { ... } }`.
fn selections(size: usize) -> Call {
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

fn packed(words: Vec<u32>, annotations: &str) -> Call {
    let annotations = Annotations::from_yaml("a.yaml", annotations).expect("it is valid");
    Box::new(move || {
        let module = load(&words).with_annotations(&annotations).expect("it is valid");
        drop(black_box(pack(&module, &PackOptions::default()).expect("it can be packed")));
    })
}

fn otherwise(size: usize) -> Call {
    let row = |number| {
        let aspect = if number % 2 == 0 { "fp16" } else { "fp64" };
        format!("  f{number}: {{when: {aspect}, otherwise: f{}}}\n", number + 1)
    };
    packed(chain(size, false), &format!("functions:\n{}", (0..size).map(row).collect::<String>()))
}

fn conditional_calls(size: usize) -> Call {
    let row = |number| format!("  f{number}: {{when: {}}}\n", if number % 2 == 0 { "fp16" } else { "fp64" });
    packed(chain(size, true), &format!("functions:\n{}", (1..=size).map(row).collect::<String>()))
}

/// Functions with double precision, each called under a condition of its own: a device needs it where any of the conditions holds.
fn conditions(size: usize, work: fn(Vec<u32>, usize) -> Call) -> Call {
    let capabilities = [Capability::Kernel, Capability::Linkage, Capability::Addresses, Capability::Float64];
    let mut words = ModuleWriter::new(&capabilities, [2, 2]);
    let [kernel, double, one] = words.ids();
    let functions = words.many(size);
    words.named(Op::EntryPoint, &[ExecutionModel::Kernel as u32, kernel], "k", &[]);
    for (number, &function) in functions.iter().enumerate() {
        let name = format!("call_if_on_device_conditionally_n8_d{number}_n8_f{number}");
        words.named(Op::Name, &[function], &name, &[]);
    }
    let [void, type_] = words.void();
    words.inst(Op::TypeFloat, &[double, 64]);
    words.inst(Op::Constant, &[double, one, 0, 0x3ff0_0000]);
    for &function in &functions {
        let [label, sum] = words.ids();
        words.inst(Op::Function, &[void, function, 0, type_]);
        words.inst(Op::Label, &[label]);
        words.inst(Op::FAdd, &[double, sum, one, one]);
        words.inst(Op::Return, &[]);
        words.inst(Op::FunctionEnd, &[]);
    }
    words.function(kernel, [void, type_], &functions);
    let words = words.end();
    let module = load(&words);
    work(pack(&module, &PackOptions::default()).expect("it can be packed").words, size)
}

fn packs(words: Vec<u32>, _: usize) -> Call {
    Box::new(move || drop(black_box(pack(&load(&words), &PackOptions::default()).expect("it is packed"))))
}

fn inspects(words: Vec<u32>, _: usize) -> Call {
    let options = InspectOptions::default();
    Box::new(move || {
        let inspector = Inspector::new(&options).expect("they are valid");
        drop(black_box(inspector.inspect(&load(&words)).expect("it is valid")));
    })
}

/// Specializes where the last of the decisions of the host holds, and no other.
fn specializes(words: Vec<u32>, size: usize) -> Call {
    let settings = (0..size)
        .fold(Settings::new(), |settings, number| settings.set(format!("d{number}"), number + 1 == size));
    Box::new(move || {
        let module = load(&words);
        let prepared = Prepared::new(&module).expect("it is valid");
        drop(black_box(prepared.specialize(&Device::default(), &settings).expect("it is valid")));
    })
}

/// Builds of a kernel that differ in a constant, each but the last under a decision of the host.
fn merge_variants(size: usize, builds: &[Vec<u32>]) -> Vec<u32> {
    let modules: Vec<Module> = builds.iter().map(|words| load(words)).collect();
    let conditions: Vec<Condition> = (0..size)
        .map(|number| Condition::parse(&format!("host(d{number})")).expect("it is a condition"))
        .collect();
    let variants: Vec<Variant> =
        modules.iter().enumerate().map(|(at, module)| Variant::new(module, conditions.get(at))).collect();
    merge(&variants, &MergeOptions::default()).expect("they can be merged").words
}

fn builds(size: usize) -> Vec<Vec<u32>> {
    let build = |number| {
        let mut words = ModuleWriter::kernels();
        let [kernel, uint, constant, label, sum] = words.ids();
        words.named(Op::EntryPoint, &[ExecutionModel::Kernel as u32, kernel], "k", &[]);
        let [void, type_] = words.void();
        words.inst(Op::TypeInt, &[uint, 32, 0]);
        words.inst(Op::Constant, &[uint, constant, number]);
        words.inst(Op::Function, &[void, kernel, 0, type_]);
        words.inst(Op::Label, &[label]);
        words.inst(Op::IAdd, &[uint, sum, constant, constant]);
        words.inst(Op::Return, &[]);
        words.inst(Op::FunctionEnd, &[]);
        words.end()
    };
    (0..=size as u32).map(build).collect()
}

fn variants(size: usize) -> Call {
    let builds = builds(size);
    Box::new(move || drop(black_box(merge_variants(size, &builds))))
}

fn merged(size: usize, work: fn(Vec<u32>, usize) -> Call) -> Call {
    work(merge_variants(size, &builds(size)), size)
}

/// Modules in a file, with zeros in between.
fn embedded(size: usize) -> Call {
    let module: Vec<u8> = chain(20, true).iter().flat_map(|word| word.to_le_bytes()).collect();
    let file = [&module[..], &[0; 100]].concat().repeat(size);
    Box::new(move || {
        let count = find_modules(&file).filter_map(|candidate| candidate.load()).count();
        assert_eq!(count, size);
    })
}

/// Structures that are blocks by groups of their own.
fn decoration_groups(size: usize) -> Call {
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

fn constants(size: usize) -> Call {
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

fn lowered(size: usize) -> Call {
    let mut words = ModuleWriter::new(&[Capability::Shader, Capability::Int64, Capability::Float64], [0, 1]);
    let [main, integer, double, two, half, label] = words.ids();
    words.named(Op::EntryPoint, &[ExecutionModel::GLCompute as u32, main], "main", &[]);
    words.inst(Op::ExecutionMode, &[main, ExecutionMode::LocalSize as u32, 1, 1, 1]);
    let [void, type_] = words.void();
    words.inst(Op::TypeInt, &[integer, 64, 0]);
    words.inst(Op::TypeFloat, &[double, 64]);
    words.inst(Op::Constant, &[integer, two, 2, 0]);
    words.inst(Op::Constant, &[double, half, 0, 0x3fe0_0000]);
    let sums = words.many(size);
    words.inst(Op::Function, &[void, main, 0, type_]);
    words.inst(Op::Label, &[label]);
    let mut before = [two, half];
    for (number, &sum) in sums.iter().enumerate() {
        let is_double = number % 2;
        let (op, type_) = if is_double == 1 { (Op::FAdd, double) } else { (Op::IAdd, integer) };
        words.inst(op, &[type_, sum, before[is_double], before[is_double]]);
        before[is_double] = sum;
    }
    words.inst(Op::Return, &[]);
    words.inst(Op::FunctionEnd, &[]);
    let words = words.end();
    let features: FeaturesToLower = "Int64,Float64".parse().expect("they can be lowered");
    let settings = Settings::new().lower(features);
    Box::new(move || {
        let module = load(&words);
        let prepared = Prepared::new(&module).expect("it is valid");
        drop(black_box(prepared.specialize(&Device::default(), &settings).expect("it is lowered")));
    })
}

/// Each operation has an operand of memory, and its result is stored.
fn halves_lowered(size: usize, is_physical: bool) -> Call {
    let mut capabilities = vec![
        Capability::Shader,
        Capability::Float16,
        Capability::Int16,
        Capability::StorageBuffer16BitAccess,
    ];
    capabilities.extend(is_physical.then_some(Capability::PhysicalStorageBufferAddresses));
    let addressing =
        if is_physical { AddressingModel::PhysicalStorageBuffer64 } else { AddressingModel::Logical };
    let mut words = ModuleWriter::new(&capabilities, [addressing as u32, 1]);
    let [main, uint, half, halves, block, to_block, to_half, first, zero, label] = words.ids();
    let [pointers, to_pointers, to_pointer, pushed, at_pointer] = words.ids();
    words.named(Op::EntryPoint, &[ExecutionModel::GLCompute as u32, main], "main", &[]);
    words.inst(Op::ExecutionMode, &[main, ExecutionMode::LocalSize as u32, 1, 1, 1]);
    words.inst(Op::Decorate, &[halves, Decoration::ArrayStride as u32, 2]);
    for block in [block, pointers] {
        words.inst(Op::Decorate, &[block, Decoration::Block as u32]);
        words.inst(Op::MemberDecorate, &[block, 0, Decoration::Offset as u32, 0]);
    }
    let [void, type_] = words.void();
    let class = match is_physical {
        true => StorageClass::PhysicalStorageBuffer,
        false => StorageClass::StorageBuffer,
    } as u32;
    words.inst(Op::TypeInt, &[uint, 32, 0]);
    words.inst(Op::TypeFloat, &[half, 16]);
    words.inst(Op::TypeRuntimeArray, &[halves, half]);
    words.inst(Op::TypeStruct, &[block, halves]);
    words.inst(Op::TypePointer, &[to_block, class, block]);
    words.inst(Op::TypePointer, &[to_half, class, half]);
    words.inst(Op::Constant, &[uint, zero, 0]);
    let base = match is_physical {
        true => {
            let push = StorageClass::PushConstant as u32;
            words.inst(Op::TypeStruct, &[pointers, to_block]);
            words.inst(Op::TypePointer, &[to_pointers, push, pointers]);
            words.inst(Op::TypePointer, &[to_pointer, push, to_block]);
            words.inst(Op::Variable, &[to_pointers, pushed, push]);
            first
        }
        false => {
            words.inst(Op::Variable, &[to_block, pushed, class]);
            pushed
        }
    };
    let indices = words.many(size);
    (1..).zip(&indices).for_each(|(number, &index)| words.inst(Op::Constant, &[uint, index, number]));
    words.inst(Op::Function, &[void, main, 0, type_]);
    words.inst(Op::Label, &[label]);
    if is_physical {
        words.inst(Op::AccessChain, &[to_pointer, at_pointer, pushed, zero]);
        words.inst(Op::Load, &[to_block, first, at_pointer]);
    }
    let aligned: &[u32] = if is_physical { &[2, 2] } else { &[] };
    let mut sum = None;
    for &index in &indices {
        let [place, number, result] = words.ids();
        words.inst(Op::AccessChain, &[to_half, place, base, zero, index]);
        words.inst(Op::Load, &[&[half, number, place], aligned].concat());
        words.inst(Op::FAdd, &[half, result, number, sum.unwrap_or(number)]);
        words.inst(Op::Store, &[&[place, result], aligned].concat());
        sum = Some(result);
    }
    words.inst(Op::Return, &[]);
    words.inst(Op::FunctionEnd, &[]);
    let words = words.end();
    let features: FeaturesToLower =
        "Float16,Int16,StorageBuffer16BitAccess".parse().expect("they can be lowered");
    let settings = Settings::new().lower(features);
    Box::new(move || {
        let module = load(&words);
        let prepared = Prepared::new(&module).expect("it is valid");
        drop(black_box(prepared.specialize(&Device::default(), &settings).expect("it is lowered")));
    })
}

/// Each unit calls a function of the next one, and there is nothing to warn of.
fn units(size: usize) -> Call {
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
        let program = link(&modules, &LinkOptions::new()).expect("they fit").module;
        let program = PostLink::new(&program).expect("it is valid");
        assert!(program.warnings(None).expect("it is valid").is_empty());
        let options = SplitOptions::new().mode(SplitMode::Off);
        let image = |split: &Split| split.image(0).expect("it is valid").words.len();
        black_box(program.split(&[], &options, image).expect("it can be split"));
    })
}

/// As many kernels as functions in a chain, which each kernel calls.
fn shared_inspected(size: usize) -> Call {
    inspects(kernels(size, true), size)
}

fn exports(size: usize) -> Call {
    let mut words = ModuleWriter::kernels();
    let functions = words.many(size);
    for (number, &function) in functions.iter().enumerate() {
        let linkage = LinkageType::Export as u32;
        let name = format!("f{number}");
        words.named(Op::Decorate, &[function, Decoration::LinkageAttributes as u32], &name, &[linkage]);
    }
    let types = words.void();
    functions.iter().for_each(|&function| words.function(function, types, &[]));
    inspects(words.end(), size)
}

fn kernels_split(size: usize) -> Call {
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
