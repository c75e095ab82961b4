//! Loading a kernel of a program: `cargo bench --bench program`.
//!
//! A program of 100 images of 7 and of 70 KB, of which a kernel requires 5: its own, three that export functions to each other, and an
//! add-on image: the real one on one device, and a stub that does nothing on the other. What is measured is reading the code of these 5
//! (with all of them in memory in the end), opening the table, which reads no code, and selecting, linking and specializing, code read
//! included; beside that, `spirv-link` (of SPIRV_LINK or target/tools) on the same files. The shortest of many rounds counts.
//!
//! All is measured in a process that keeps its memory: glibc gives free memory at the end of the heap back to the system after each
//! round of some of these, and not of others, and would have those pay for fresh pages, up to 0.4 ms.

mod common;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::{ModuleWriter, linker, shortest};
use spirv::{Decoration, ExecutionModel, LinkageType, Op};
use spirv_if::property_sets::{Property, PropertySet, PropertySets};
use spirv_if::{Device, Module, Settings};
use spirv_if_sycl::program::Program;

const IMAGES: usize = 100;
const ROUNDS: usize = 200;
/// A device with the real add-on image, and one with the stub.
const DEVICES: [&str; 2] = ["intel_gpu_pvc", "x86_64"];

/// The tuning of glibc with which memory is kept.
const KEEP_MEMORY: [&str; 2] = [
    "GLIBC_TUNABLES",
    "glibc.malloc.trim_threshold=1000000000:glibc.malloc.mmap_threshold=1000000000:glibc.malloc.top_pad=16000000",
];

fn main() {
    let [variable, value] = KEEP_MEMORY;
    if std::env::var_os(variable).is_none() {
        let this_program = std::env::current_exe().expect("this program is a file");
        let done = Command::new(this_program).args(std::env::args_os().skip(1)).env(variable, value).status();
        assert!(done.expect("it runs").success());
        return;
    }
    for functions in [20, 200] {
        let folder = tempfile::tempdir().expect("a folder");
        write_program(folder.path(), functions);
        for (device, add_on) in DEVICES.into_iter().zip([4, 5]) {
            let used = [0, 1, 2, 3, add_on].map(|number| folder.path().join(format!("{number}.spv")));
            measure(&folder.path().join("app.table"), &used, device);
        }
    }
}

fn measure(table: &Path, used: &[PathBuf], device: &str) {
    let device = Device::embedded(device).expect("it is in the table");
    let size = fs::metadata(&used[0]).map_or(0, |file| file.len());
    println!("{IMAGES} images of {size} bytes, {} used, on {}", used.len(), device.name());
    let open = || Program::open(table).expect("it is a program");
    // Each is measured after opening the table, which leaves the same caches.
    let read = shortest(ROUNDS, open, |_| {
        let bytes: Vec<Vec<u8>> = used.iter().map(|file| fs::read(file).expect("it is there")).collect();
        let modules = bytes.iter().map(|bytes| Module::from_bytes(bytes).expect("it is a module"));
        drop(modules.collect::<Vec<_>>());
    });
    let opened = shortest(ROUNDS, || (), |()| drop(open()));
    let select = |program: &Program| drop(program.select("kernel", &device).expect("it is selected"));
    let selected = shortest(ROUNDS, open, |program| select(&program));
    let load = |program: &Program| {
        let selection = program.select("kernel", &device).expect("it is selected");
        selection.specialize(&Settings::new()).expect("it is linked").words
    };
    let loaded = shortest(ROUNDS, open, |program| drop(load(&program)));
    let program = open();
    load(&program);
    let again = shortest(ROUNDS, || (), |()| drop(load(&program)));
    row("read the 5", read, read);
    row("open the table", opened, read);
    row("select", selected, read);
    row("select, read, link and specialize", loaded, read);
    row("the same again", again, read);
    let Some(linker) = linker() else {
        println!("  spirv-link is not there");
        return;
    };
    let linked = table.with_file_name("linked.spv");
    let run = |_: ()| {
        let mut command = Command::new(&linker);
        let done = command.args(used).arg("-o").arg(&linked).status().expect("spirv-link runs");
        assert!(done.success(), "spirv-link links the same images");
    };
    row("spirv-link, a process", shortest(ROUNDS, || (), run), read);
    let version = |_: ()| drop(Command::new(&linker).arg("--version").output().expect("spirv-link runs"));
    row("spirv-link --version", shortest(ROUNDS, || (), version), read);
}

fn row(name: &str, time: Duration, read: Duration) {
    let ratio = time.as_secs_f64() / read.as_secs_f64();
    println!("  {name:<36} {:>10.1} us   {ratio:>6.2} of reading", time.as_secs_f64() * 1e6);
}

/// Writes the program. The stub has no functions but the one that it exports, which does nothing.
fn write_program(folder: &Path, functions: u32) {
    let mut table = String::from("[Code|Properties|Symbols]\n");
    for number in 0..IMAGES {
        let (symbol, imports) = match number {
            0 => ("kernel".to_owned(), vec!["f1".to_owned(), "action".to_owned()]),
            1 | 2 => (format!("f{number}"), vec![format!("f{}", number + 1)]),
            4 | 5 => ("action".to_owned(), Vec::new()),
            _ => (format!("f{number}"), Vec::new()),
        };
        let mut properties = PropertySets::default();
        put(&mut properties, "SYCL/device requirements", "aspect", Property::from_u32s(&[]));
        if !imports.is_empty() {
            let mut set = PropertySet::new("SYCL/imported symbols");
            imports.iter().for_each(|name| set.push(name, Property::U32(1)));
            properties.put(set);
        }
        match number {
            // On GPUs.
            0 => put(&mut properties, "SYCL/add on images", "1", Property::from_u32s(&[u32::MAX, 2])),
            4 | 5 => put(&mut properties, "SYCL/add on image", "1", Property::U32((number == 4).into())),
            _ => {}
        }
        let file = |extension: &str| folder.join(format!("{number}.{extension}"));
        let words = image(number, &symbol, &imports, if number == 5 { 0 } else { functions });
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        fs::write(file("spv"), bytes).expect("it can be written");
        fs::write(file("prop"), properties.to_text()).expect("it can be written");
        fs::write(file("sym"), symbol + "\n").expect("it can be written");
        let names = ["spv", "prop", "sym"].map(|extension| file(extension).display().to_string());
        let _ = writeln!(table, "{}", names.join("|"));
    }
    fs::write(folder.join("app.table"), table).expect("it can be written");
}

/// Adds a set of one property.
fn put(properties: &mut PropertySets, name: &str, property: &str, value: Property) {
    let mut set = PropertySet::new(name);
    set.push(property, value);
    properties.put(set);
}

/// A module that calls its own functions, and those that it imports.
fn image(number: usize, symbol: &str, imports: &[String], functions: u32) -> Vec<u32> {
    let mut words = ModuleWriter::kernels();
    let [uint, unary, one, entry] = words.ids();
    let is_kernel = number == 0;
    if is_kernel {
        words.named(Op::EntryPoint, &[ExecutionModel::Kernel as u32, entry], symbol, &[]);
    }
    let (imported, defined) = (words.many(imports.len()), words.many(functions as usize));
    for (at, &id) in defined.iter().enumerate() {
        words.named(Op::Name, &[id], &format!("local_{number}_{at}"), &[]);
    }
    let mut link = |id: u32, name: &str, linkage: LinkageType| {
        words.named(Op::Decorate, &[id, Decoration::LinkageAttributes as u32], name, &[linkage as u32]);
    };
    if !is_kernel {
        link(entry, symbol, LinkageType::Export);
    }
    for (&id, name) in imported.iter().zip(imports) {
        link(id, name, LinkageType::Import);
    }
    let [void, type_] = words.void();
    words.inst(Op::TypeInt, &[uint, 32, 0]);
    words.inst(Op::TypeFunction, &[unary, uint, uint]);
    words.inst(Op::Constant, &[uint, one, 1]);
    for &id in &imported {
        words.inst(Op::Function, &[void, id, 0, type_]);
        words.inst(Op::FunctionEnd, &[]);
    }
    for &id in &defined {
        let [parameter, label] = words.ids();
        words.inst(Op::Function, &[uint, id, 0, unary]);
        words.inst(Op::FunctionParameter, &[uint, parameter]);
        words.inst(Op::Label, &[label]);
        let mut value = parameter;
        for _ in 0..14 {
            let next = words.id();
            words.inst(Op::IAdd, &[uint, next, value, one]);
            value = next;
        }
        words.inst(Op::ReturnValue, &[value]);
        words.inst(Op::FunctionEnd, &[]);
    }
    let label = words.id();
    words.inst(Op::Function, &[void, entry, 0, type_]);
    words.inst(Op::Label, &[label]);
    for (&id, type_) in
        defined.iter().zip(std::iter::repeat(uint)).chain(imported.iter().zip(std::iter::repeat(void)))
    {
        let result = words.id();
        let argument: &[u32] = if type_ == uint { std::slice::from_ref(&one) } else { &[] };
        words.inst(Op::FunctionCall, &[&[type_, result, id], argument].concat());
    }
    words.inst(Op::Return, &[]);
    words.inst(Op::FunctionEnd, &[]);
    words.end()
}
