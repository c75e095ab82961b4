//! Modules for the tests.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
#![allow(dead_code, reason = "each test uses a part")]

use std::path::{Path, PathBuf};

use spirv_if_bundle::{BundleBuilder, ShaderVariant};

/// The files with an extension in a folder and the folders in it, by name.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files
}

/// The fixtures of the repository, with their names.
pub fn fixtures() -> Vec<(String, Vec<u32>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&folder).unwrap().with_extension("").display().to_string();
        (name, words(&std::fs::read(path).unwrap()))
    };
    let fixtures: Vec<_> = files_below(&folder, "spv").into_iter().map(read).collect();
    assert!(fixtures.len() > 100);
    fixtures
}

/// The words of a file.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    let (words, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    words.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// The bytes of a bundle.
pub fn bundle<'m>(modules: impl IntoIterator<Item = &'m (String, Vec<u32>)>, solid: bool) -> Vec<u8> {
    let mut builder = BundleBuilder::new();
    builder.solid(solid);
    for (name, words) in modules {
        builder.add(name, [ShaderVariant::new(&words[..])]).unwrap();
    }
    builder.to_bytes().unwrap()
}

/// The words of fixtures that were packed.
pub fn packed(names: &[&str]) -> Vec<(String, Vec<u32>)> {
    let pack = |name: &&str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(format!("{name}.spv"));
        let bytes = std::fs::read(path).unwrap();
        let module = spirv_if::Module::from_bytes(&bytes).unwrap();
        ((*name).to_owned(), spirv_if::pack(&module, &spirv_if::PackOptions::default()).unwrap().words)
    };
    names.iter().map(pack).collect()
}

/// The bytes of a bundle of ready shaders: packed ones, two variants, and one without conditions.
#[cfg(all(feature = "specialize", feature = "write"))]
pub fn ready_bundle(uncompressed: bool) -> Vec<u8> {
    let settings = spirv_if::Settings::new();
    let mut builder = BundleBuilder::new();
    builder.uncompressed(uncompressed);
    let modules = packed(&["glsl/reduce", "glsl/tint", "opencl/many"]);
    for (name, words) in &modules {
        assert!(
            builder.add_ready(name, [ShaderVariant::new(&words[..])], &settings, 256).unwrap().is_none(),
            "{name}"
        );
    }
    let [(_, half), (_, plain)] = &packed(&["merge/scale-fp16", "merge/scale"])[..] else { unreachable!() };
    let variants = [
        ShaderVariant::new(&half[..]).condition("fp16 && subgroup_size >= 32 || host(fast)"),
        ShaderVariant::new(&plain[..]).condition("arch(intel_gpu_pvc)"),
    ];
    assert!(builder.add_ready("variants", variants, &settings, 256).unwrap().is_none());
    let precision = fixtures().into_iter().find(|(name, _)| name == "spec/precision").unwrap().1;
    let constant = ShaderVariant::new(precision).constant_values("use_half", ["true", "false"]);
    assert!(builder.add_ready("constants", [constant], &settings, 256).unwrap().is_none());
    builder.add("plain", [ShaderVariant::new(&plain[..])]).unwrap();
    builder.to_bytes().unwrap()
}

/// Bundles with a dictionary, solid, with raw modules, and of ready shaders.
pub fn small_bundles() -> Vec<Vec<u8>> {
    let mut fixtures: Vec<_> =
        fixtures().into_iter().filter(|(_, words)| (500..4000).contains(&words.len())).take(40).collect();
    let with_dictionary = bundle(&fixtures, false);
    assert_ne!(with_dictionary[48..52], [0; 4], "there is no dictionary");
    fixtures.truncate(3);
    fixtures.push(("raw".to_owned(), (0..50).collect()));
    let mut with_conditions = BundleBuilder::new();
    let words = &fixtures[0].1;
    let half = ShaderVariant::new(words).condition("fp16").constant("0", "1");
    with_conditions.add("a", [half, ShaderVariant::new(&fixtures[1].1)]).unwrap();
    with_conditions.add("b", [ShaderVariant::new(words)]).unwrap();
    vec![
        with_dictionary,
        bundle(&fixtures, true),
        with_conditions.to_bytes().unwrap(),
        ready_bundle(false),
        ready_bundle(true),
    ]
}

/// Sets the checksums of a bundle to those of its bytes, as a hostile writer would. Does nothing if numbers do not fit.
pub fn set_checksums(bytes: &mut [u8]) {
    let number = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 4).map_or(0, |number| u32::from_le_bytes(number.try_into().unwrap())) as usize
    };
    let size = |bytes: &[u8], at: usize, size: usize| number(bytes, at).saturating_mul(size);
    let header: usize = if number(bytes, 4) == 2 { 96 } else { 64 };
    if bytes.len() < header {
        return;
    }
    let records = [(16, 12), (20, 16), (24, 16), (28, 8)];
    let blocks = records.iter().fold(header, |sum, &(at, of)| sum.saturating_add(size(bytes, at, of)));
    let count = number(bytes, 32);
    let of_ready = if header == 96 { number(bytes, 88) } else { 0 };
    let text = blocks.saturating_add(count.saturating_mul(28)).saturating_add(of_ready);
    let dictionary = text.saturating_add(number(bytes, 36)).saturating_add(number(bytes, 40));
    let end = dictionary.saturating_add(number(bytes, 44));
    if end > bytes.len() {
        return;
    }
    for block in (0..count).map(|number| blocks + 28 * number) {
        let start = number(bytes, block);
        if let Some(stored) = bytes.get(start..start.saturating_add(number(bytes, block + 8))) {
            let checksum = crc32fast::hash(stored);
            bytes[block + 24..][..4].copy_from_slice(&checksum.to_le_bytes());
        }
    }
    let checksum = crc32fast::hash(&bytes[dictionary..end]);
    bytes[52..56].copy_from_slice(&checksum.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[header..dictionary]);
    bytes[56..60].copy_from_slice(&checksum.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[..header - 4]);
    bytes[header - 4..header].copy_from_slice(&checksum.to_le_bytes());
}

/// The place of a table in a bundle of version 2 that is not compressed, by its number: of the tables of ready shaders those from 5 on.
fn table(bytes: &[u8], wanted: usize) -> usize {
    let tables = [(16, 12), (20, 16), (24, 16), (28, 8), (32, 28), (60, 12), (64, 20), (68, 6), (72, 20)];
    let sizes = tables.map(|(at, size)| number(bytes, at) * size);
    96 + sizes[..wanted].iter().sum::<usize>()
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// A bundle that is not compressed, with another number of words of its first result.
pub fn with_words(bytes: &[u8], words: u32) -> Vec<u8> {
    let mut hostile = bytes.to_vec();
    let at = table(bytes, 8) + 4 * 2 * number(bytes, 72);
    hostile[at..at + 4].copy_from_slice(&words.to_le_bytes());
    set_checksums(&mut hostile);
    hostile
}

/// The number of words of the pool of the first ready shader.
pub fn pool_words(bytes: &[u8]) -> u32 {
    let of_shader = number(bytes, table(bytes, 6));
    let variant = number(bytes, table(bytes, 0) + 12 * of_shader + 8);
    let module = number(bytes, table(bytes, 1) + 16 * variant + 8);
    number(bytes, table(bytes, 3) + 8 * module + 4) as u32
}

/// A bundle that is not compressed, with a block that begins before the end of the one before it.
pub fn with_overlapping_blocks(bytes: &[u8]) -> Vec<u8> {
    let mut hostile = bytes.to_vec();
    let second = table(bytes, 4) + 28;
    let offset = number(bytes, second) as u32 - 4;
    hostile[second..second + 4].copy_from_slice(&offset.to_le_bytes());
    set_checksums(&mut hostile);
    hostile
}

/// Bundles with one byte changed and right checksums, as a hostile writer would make them: of the first bytes, and of about so many others.
pub fn hostile(bytes: &[u8], count: usize) -> impl Iterator<Item = Vec<u8>> {
    let step = bytes.len() / count + 1;
    let places = (0..bytes.len()).filter(move |at| *at < 2000 || at % step == 0);
    places.flat_map(move |at| {
        [0, 0xff, bytes[at] ^ 1, bytes[at] ^ 0x80].map(|value| {
            let mut hostile = bytes.to_vec();
            hostile[at] = value;
            set_checksums(&mut hostile);
            hostile
        })
    })
}

/// The modules of ggml's library, if `GGML_LIBRARY` names it.
pub fn ggml() -> Vec<(String, Vec<u32>)> {
    let Some(path) = std::env::var_os("GGML_LIBRARY") else { return Vec::new() };
    let bytes = std::fs::read(path).unwrap();
    let modules = spirv_if::module::find_modules(&bytes).filter_map(|candidate| candidate.load());
    let modules: Vec<_> = modules
        .enumerate()
        .map(|(number, module)| (format!("{number:04}"), module.words().to_vec()))
        .collect();
    assert!(modules.len() > 1000, "{} modules", modules.len());
    modules
}
