//! The command line program and the example, with the driver.

use std::path::{Path, PathBuf};
use std::process::Command;

use spirv_if::pack::Dialect;

use super::kernels::{self, Has, OpenClFeature, OpenClKernel};
use super::{compare_outcomes, compiled, compiled_path, declares_none_of, driver, masked};
use crate::common::{validate, words_of};
use crate::drivers::masked::read;
use crate::drivers::programs::{built, run, with_driver};
use crate::drivers::routes::Route;

/// Packs a kernel into a folder: a fixture to a file of the same name.
fn pack(kernel: &OpenClKernel, folder: &Path) -> Result<PathBuf, String> {
    let packed = folder.join(kernel.name).with_extension("spv");
    run(Command::new(built("spirv-if")).arg("pack").arg(compiled_path(kernel)).arg("-o").arg(&packed))?;
    Ok(packed)
}

/// `devices probe` and `specialize --device probe:0`: what comes out runs. With features masked off, the entry that was printed is
/// edited, and `--device-config` reads it.
pub fn command_line(kernel: &OpenClKernel, mask: &[OpenClFeature]) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let packed = pack(kernel, folder.path())?;
    let entries = run(with_driver(&built("spirv-if")).args(["devices", "probe", "--opencl"]))?;
    let entries = masked(&entries, mask);
    let config = folder.path().join("devices.yaml");
    std::fs::write(&config, &entries).unwrap();
    let specialized = folder.path().join("from_entry.spv");
    let mut command = Command::new(built("spirv-if"));
    command.arg("specialize").arg(&packed).arg("--device-config").arg(&config).args([
        "--device",
        read(&entries).name(),
        "-o",
    ]);
    run(command.arg(&specialized))?;
    let words = words_of(&std::fs::read(&specialized).unwrap());
    if mask.is_empty() {
        let direct = folder.path().join("from_probe.spv");
        run(with_driver(&built("spirv-if"))
            .arg("specialize")
            .arg(&packed)
            .args(["--device", "probe:0", "-o"])
            .arg(&direct))?;
        if words != words_of(&std::fs::read(&direct).unwrap()) {
            return Err("the entry and the device itself give different modules".to_owned());
        }
    }
    validate(&words, "spv1.4")?;
    let packed = compiled(kernel).made_for(&read(&entries), Route::Packed(Dialect::SpecConditional));
    if words == packed && (mask.is_empty() || kernel.masks.contains(&mask)) {
        return Ok("the same module as packed".to_owned());
    }
    let device = driver::device()?;
    let has = |feature| !mask.contains(&feature) && driver::has(&device, feature);
    declares_none_of(kernel, &has, &words)?;
    compare_outcomes(&device, &words, kernel, &has)
}

/// `examples/opencl.rs` prints the way that ran, and the value that follows from it.
pub fn example(kernel: &OpenClKernel) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let packed = pack(kernel, folder.path())?;
    let printed = run(with_driver(&built("examples/opencl")).arg(packed))?;
    let device = driver::device()?;
    let has: Has = &|feature| driver::has(&device, feature);
    let way = match (has(OpenClFeature::Fp16), has(OpenClFeature::Fp64)) {
        (true, true) => "half floats and doubles",
        (false, true) => "doubles",
        (true, false) => "half floats",
        (false, false) => "floats",
    };
    let coefficients: Vec<f32> = (0..8).map(|i| 1.0 + 1.0 / (i + 3) as f32).collect();
    let (value, _) = kernels::at_one_half(&coefficients, has);
    let line = format!("  computed with {way}: {value}");
    match printed.lines().filter(|printed| **printed == line).count() {
        1 => Ok(printed.lines().collect::<Vec<_>>().join("; ")),
        _ => Err(format!("{line:?} is not in\n{printed}")),
    }
}
