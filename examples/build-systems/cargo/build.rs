//! Packs a shader with its annotations into `OUT_DIR`.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use spirv_if::{Annotations, Module, PackOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../fixtures/annotations");
    let folder = env::var("FIXTURES").unwrap_or_else(|_| folder.to_owned());
    let (shader, yaml) = (format!("{folder}/guarded.spv"), format!("{folder}/guarded.yaml"));
    println!(
        "cargo::rerun-if-env-changed=FIXTURES\ncargo::rerun-if-changed={shader}\ncargo::rerun-if-changed={yaml}"
    );
    let annotations = Annotations::from_yaml(&yaml, &fs::read_to_string(&yaml)?)?;
    let bytes = fs::read(&shader)?;
    let module = Module::from_bytes(&bytes)?.with_annotations(&annotations)?;
    if let [first, ..] = &annotations.unmatched()[..] {
        return Err(first.clone().into());
    }
    let packed = spirv_if::pack(&module, &PackOptions::default())?;
    let bytes: Vec<u8> = packed.words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    fs::write(Path::new(&env::var("OUT_DIR")?).join("guarded.spv"), bytes)?;
    Ok(())
}
