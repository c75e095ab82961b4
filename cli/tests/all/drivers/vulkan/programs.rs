//! The command line program and the example, with the driver.

use spirv_if::pack::Dialect;
use spirv_if::specialize::FeaturesToLower;
use spirv_if::{PackOptions, pack};

use super::runner::Vulkan;
use super::{VulkanResult, has, kernels};
use crate::common::{bytes_of, words_of};
use crate::drivers::programs::{built, run, with_driver};
use crate::drivers::routes::{Compiled, Route};

/// The kernel that the example runs.
const CHAIN: &str = "vulkan/chain";
/// The one without a way for devices without 64-bit integers.
const LONG: &str = "vulkan/long";
/// The numbers that it multiplies.
const NUMBERS: [u64; 2] = [3_000_000_019, 4_000_000_007];

/// `examples/vulkan.rs` prints the way that ran, and the product: for a shader with ways for all devices, and for one with 64-bit integers alone,
/// packed with a lowered twin, for which it also leaves shaderInt64 off.
pub fn example() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let kernel = kernels::KERNELS.iter().find(|kernel| kernel.name == CHAIN).ok_or("no such kernel")?;
    let way = match kernel.way(&has(&vulkan, kernel)?) {
        1 => "64-bit integers",
        2 => "16-bit integers",
        _ => "32-bit integers alone",
    };
    let mut printed = prints(&Compiled::fixture(CHAIN).packed(Dialect::SpecConditional).words, &[], way)?;
    let options = PackOptions::new().lower("Int64".parse::<FeaturesToLower>()?);
    let long = pack(&Compiled::fixture(LONG).module(), &options)?.words;
    for arguments in [&[][..], &["without-int64"]] {
        printed.extend(prints(&long, arguments, "64-bit integers")?);
    }
    Ok(printed.join("; "))
}

/// Runs the example on a packed module; returns its lines, after it prints the product with the way that computes it.
fn prints(packed: &[u32], arguments: &[&str], way: &str) -> VulkanResult<Vec<String>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("packed.spv");
    // It has all that the example needs, without files beside it.
    std::fs::write(&path, bytes_of(packed))?;
    let printed = run(with_driver(&built("examples/vulkan")).arg(path).args(arguments))?;
    let line = format!("  computed with {way}: {}", NUMBERS[0] * NUMBERS[1]);
    match printed.lines().any(|printed| printed == line) {
        true => Ok(printed.lines().map(str::to_owned).collect()),
        false => Err(format!("{line:?} is not in\n{printed}").into()),
    }
}

/// `specialize --device probe:0`, and the entry that `devices probe` prints as a `--device-config`, make the same as the library.
pub fn command_line() -> VulkanResult<String> {
    let folder = tempfile::tempdir()?;
    let (packed, config) = (folder.path().join("chain.spv"), folder.path().join("devices.yaml"));
    let chain = Compiled::fixture(CHAIN).packed(Dialect::SpecConditional);
    std::fs::write(&packed, bytes_of(&chain.words))?;
    std::fs::write(packed.with_extension("prop"), chain.properties.to_text())?;
    let program = built("spirv-if");
    let entries = run(with_driver(&program).args(["devices", "probe", "--vulkan"]))?;
    std::fs::write(&config, &entries)?;
    let name = entries.lines().find_map(|line| line.strip_suffix(':')).ok_or("no entry")?;
    let expected =
        Compiled::fixture(CHAIN).made_for(&Vulkan::open()?.probed(), Route::Packed(Dialect::SpecConditional));
    for (device, out) in [("probe:0", "direct.spv"), (name, "by-entry.spv")] {
        let out = folder.path().join(out);
        let mut command = with_driver(&program);
        command.arg("specialize").arg(&packed).arg("-o").arg(&out).args(["--device", device]);
        if device == name {
            command.arg("--device-config").arg(&config);
        }
        run(&mut command)?;
        if words_of(&std::fs::read(out)?) != expected {
            return Err(format!("with --device {device}, something else comes out").into());
        }
    }
    Ok(name.to_owned())
}
