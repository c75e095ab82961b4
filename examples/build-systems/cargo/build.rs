//! Packs a shader with its annotations into `OUT_DIR`.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use spirv_if::module::Annotations;
use spirv_if::{Module, PackOptions, pack};

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
    annotations.check_matches()?;
    let packed = pack(&module, &PackOptions::new())?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("guarded.spv"), packed.to_bytes())?;
    Ok(())
}
