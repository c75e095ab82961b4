//! Loading a kernel of a program: `cargo bench --bench program`.
//!
//! A program of 100 images of 7 and of 70 KB, of which a kernel requires 5: its own, three that export functions to each other, and an
//! add-on image: the real one on one device, and a stub that does nothing on the other. What is measured is reading the code of these 5
//! (with all of them in memory in the end), opening the table, which reads no code, and selecting, linking and specializing, code read
//! included; beside that, `spirv-link` (of SPIRV_LINK or target/tools) on the same files. The shortest of many rounds counts.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use spirv::{Capability, Decoration, ExecutionModel, LinkageType, Op};
use spirv_if::{Device, Module, Program, Property, PropertySet, PropertySets, Settings};

const IMAGES: usize = 100;
const ROUNDS: usize = 200;
/// A device with the real add-on image, and one with the stub.
const DEVICES: [&str; 2] = ["intel_gpu_pvc", "x86_64"];

fn main() {
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
    let read = shortest(open, |_| {
        let bytes: Vec<Vec<u8>> = used.iter().map(|file| fs::read(file).expect("it is there")).collect();
        let modules = bytes.iter().map(|bytes| Module::from_bytes(bytes).expect("it is a module"));
        drop(modules.collect::<Vec<_>>());
    });
    let opened = shortest(|| (), |()| drop(open()));
    let select = |program: &Program| drop(program.select("kernel", &device).expect("it is selected"));
    let selected = shortest(open, |program| select(&program));
    let load = |program: &Program| {
        let selection = program.select("kernel", &device).expect("it is selected");
        selection.specialize(&Settings::new()).expect("it is linked").words
    };
    let loaded = shortest(open, |program| drop(load(&program)));
    let program = open();
    load(&program);
    let again = shortest(|| (), |()| drop(load(&program)));
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
    row("spirv-link, a process", shortest(|| (), run), read);
    let version = |_: ()| drop(Command::new(&linker).arg("--version").output().expect("spirv-link runs"));
    row("spirv-link --version", shortest(|| (), version), read);
}

fn row(name: &str, time: Duration, read: Duration) {
    let ratio = time.as_secs_f64() / read.as_secs_f64();
    println!("  {name:<36} {:>10.1} us   {ratio:>6.2} of reading", time.as_secs_f64() * 1e6);
}

fn shortest<T>(prepare: impl Fn() -> T, call: impl Fn(T)) -> Duration {
    let time = || {
        let prepared = prepare();
        let start = Instant::now();
        call(prepared);
        start.elapsed()
    };
    (0..ROUNDS).map(|_| time()).min().unwrap_or_default()
}

fn linker() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/bin/spirv-link");
    let path = std::env::var_os("SPIRV_LINK").map_or(own, PathBuf::from);
    Some(path).filter(|path| path.exists())
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
    const VOID: u32 = 1;
    const TYPE: u32 = 2;
    const UINT: u32 = 3;
    const UNARY: u32 = 4;
    const ONE: u32 = 5;
    const ENTRY: u32 = 6;
    let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0400, 0, 0, 0];
    let mut bound = 7;
    let mut fresh = || {
        bound += 1;
        bound - 1
    };
    for capability in [Capability::Kernel, Capability::Linkage, Capability::Addresses] {
        inst(&mut words, Op::Capability, &[capability as u32]);
    }
    inst(&mut words, Op::MemoryModel, &[2, 2]);
    let is_kernel = number == 0;
    if is_kernel {
        inst(
            &mut words,
            Op::EntryPoint,
            &[&[ExecutionModel::Kernel as u32, ENTRY], &text(symbol)[..]].concat(),
        );
    }
    let imported: Vec<u32> = imports.iter().map(|_| fresh()).collect();
    let own: Vec<u32> = (0..functions).map(|_| fresh()).collect();
    for (at, &id) in own.iter().enumerate() {
        inst(&mut words, Op::Name, &[&[id], &text(&format!("local_{number}_{at}"))[..]].concat());
    }
    let mut link = |id: u32, name: &str, linkage: LinkageType| {
        let decoration = Decoration::LinkageAttributes as u32;
        inst(&mut words, Op::Decorate, &[&[id, decoration], &text(name)[..], &[linkage as u32]].concat());
    };
    if !is_kernel {
        link(ENTRY, symbol, LinkageType::Export);
    }
    for (&id, name) in imported.iter().zip(imports) {
        link(id, name, LinkageType::Import);
    }
    inst(&mut words, Op::TypeVoid, &[VOID]);
    inst(&mut words, Op::TypeFunction, &[TYPE, VOID]);
    inst(&mut words, Op::TypeInt, &[UINT, 32, 0]);
    inst(&mut words, Op::TypeFunction, &[UNARY, UINT, UINT]);
    inst(&mut words, Op::Constant, &[UINT, ONE, 1]);
    for &id in &imported {
        inst(&mut words, Op::Function, &[VOID, id, 0, TYPE]);
        inst(&mut words, Op::FunctionEnd, &[]);
    }
    for &id in &own {
        let (parameter, label) = (fresh(), fresh());
        inst(&mut words, Op::Function, &[UINT, id, 0, UNARY]);
        inst(&mut words, Op::FunctionParameter, &[UINT, parameter]);
        inst(&mut words, Op::Label, &[label]);
        let mut value = parameter;
        for _ in 0..14 {
            let next = fresh();
            inst(&mut words, Op::IAdd, &[UINT, next, value, ONE]);
            value = next;
        }
        inst(&mut words, Op::ReturnValue, &[value]);
        inst(&mut words, Op::FunctionEnd, &[]);
    }
    inst(&mut words, Op::Function, &[VOID, ENTRY, 0, TYPE]);
    inst(&mut words, Op::Label, &[fresh()]);
    for &id in &own {
        inst(&mut words, Op::FunctionCall, &[UINT, fresh(), id, ONE]);
    }
    for &id in &imported {
        inst(&mut words, Op::FunctionCall, &[VOID, fresh(), id]);
    }
    inst(&mut words, Op::Return, &[]);
    inst(&mut words, Op::FunctionEnd, &[]);
    words[3] = bound;
    words
}

fn inst(words: &mut Vec<u32>, op: Op, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | op as u32);
    words.extend_from_slice(operands);
}

/// A string as words.
fn text(text: &str) -> Vec<u32> {
    let mut bytes = [text.as_bytes(), &[0]].concat();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}
