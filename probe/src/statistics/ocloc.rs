//! Intel's offline compiler of kernels, and what it writes of them into its binary.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use spirv_if_inspect::statistics::{
    CompileFailure, CompileRequest, CompiledModule, ExecutableStatistics, Statistic, StatisticValue,
    VariantCompiler,
};

/// `ocloc` for a named GPU of Intel.
pub struct Ocloc {
    program: PathBuf,
    device: String,
    limit: Duration,
    name: String,
}

/// A file that is removed with this.
struct TemporaryFile(PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Ocloc {
    /// Names the program and the GPU, in the program's words: `pvc`, `bmg-g21`. `limit` is the time for a module.
    pub fn new(program: impl Into<PathBuf>, device: &str, limit: Duration) -> Ocloc {
        let name = format!("ocloc for {device}");
        Ocloc { program: program.into(), device: device.to_owned(), limit, name }
    }

    fn run(&self, request: &CompileRequest) -> Result<(Duration, Vec<u8>), CompileFailure> {
        let failed = |error: std::io::Error| {
            CompileFailure::Unsupported(format!("{}: {error}", self.program.display()))
        };
        let base = format!("spirv-if-{}-{:p}", std::process::id(), request.words.as_ptr());
        let base = std::env::temp_dir().join(base);
        let path = |end| TemporaryFile(base.with_extension(end));
        // The program adds the extension.
        let (input, output) = (path("spv"), path("bin"));
        std::fs::write(&input.0, bytemuck::cast_slice(request.words)).map_err(failed)?;
        let mut command = Command::new(&self.program);
        command.args(["compile", "-spirv_input", "-output_no_suffix", "-device", &self.device, "-file"]);
        command.arg(&input.0).arg("-output").arg(&base).stdin(Stdio::null());
        let messages = path("txt");
        let log = std::fs::File::create(&messages.0).map_err(failed)?;
        command.stdout(log.try_clone().map_err(failed)?).stderr(log);
        let start = Instant::now();
        let mut child = command.spawn().map_err(failed)?;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if start.elapsed() > self.limit {
                let _ = child.kill();
                let _ = child.wait();
                return Err(CompileFailure::Hung(self.limit.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let time = start.elapsed();
        let said = std::fs::read(&messages.0).unwrap_or_default();
        let said = String::from_utf8_lossy(&said).trim().replace('\n', "; ");
        match std::fs::read(&output.0) {
            Ok(binary) if status.success() => Ok((time, binary)),
            _ if status.code().is_none() => Err(CompileFailure::Crashed(format!("{status}: {said}"))),
            _ => Err(CompileFailure::Refused(said)),
        }
    }
}

impl VariantCompiler for Ocloc {
    fn driver(&self) -> &str {
        &self.name
    }

    fn takes_constants(&self) -> bool {
        false
    }

    fn compile(&mut self, request: &CompileRequest) -> Result<CompiledModule, CompileFailure> {
        let (time, binary) = self.run(request)?;
        let executables = executables(&binary)
            .ok_or_else(|| CompileFailure::Unsupported("ocloc wrote no zebin".to_owned()))?;
        Ok(CompiledModule::new(time.as_nanos().try_into().unwrap_or(u64::MAX), executables))
    }
}

/// Returns what a binary in the format zebin, an ELF file, says of its kernels.
fn executables(binary: &[u8]) -> Option<Vec<ExecutableStatistics>> {
    let sections = sections(binary)?;
    let (_, info) = sections.iter().find(|(name, _)| name == ".ze_info")?;
    let mut executables = kernels(&String::from_utf8_lossy(info));
    for executable in &mut executables {
        let text = format!(".text.{}", executable.entry_point);
        if let Some((_, code)) = sections.iter().find(|(name, _)| *name == text) {
            let size = i64::try_from(code.len()).unwrap_or(i64::MAX);
            executable.statistics.insert(0, Statistic::new("code size", StatisticValue::Integer(size)));
        }
    }
    Some(executables)
}

/// Returns the sections of a 64-bit ELF file by name.
fn sections(file: &[u8]) -> Option<Vec<(String, &[u8])>> {
    let number = |at: usize, size: usize| -> Option<usize> {
        let bytes = file.get(at..at.checked_add(size)?)?;
        usize::try_from(bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte))).ok()
    };
    if !file.starts_with(b"\x7fELF\x02") {
        return None;
    }
    let (start, count, names) = (number(40, 8)?, number(60, 2)?, number(62, 2)?);
    let header = |section: usize| {
        let at = start.checked_add(section * 64)?;
        let (offset, size) = (number(at + 24, 8)?, number(at + 32, 8)?);
        Some((number(at, 4)?, file.get(offset..offset.checked_add(size)?)?))
    };
    let (_, names) = header(names)?;
    let section = |section| {
        let (name, content) = header(section)?;
        let name = names.get(name..)?.split(|byte| *byte == 0).next()?;
        Some((String::from_utf8_lossy(name).into_owned(), content))
    };
    Some((0..count).filter_map(section).collect())
}

/// Reads the kernels of a `.ze_info`, which is YAML that the compiler writes in one form: `execution_env` and `per_thread_memory_buffers` of each.
fn kernels(info: &str) -> Vec<ExecutableStatistics> {
    let mut kernels: Vec<ExecutableStatistics> = Vec::new();
    let mut section = "";
    let mut is_kernels = false;
    for line in info.lines() {
        let depth = line.len() - line.trim_start().len();
        let text = line.trim_start();
        if depth == 0 {
            is_kernels = text.starts_with("kernels:");
            continue;
        }
        let Some((key, value)) = text.trim_start_matches("- ").split_once(':').filter(|_| is_kernels) else {
            continue;
        };
        let value = value.trim();
        match (depth, key) {
            (2, "name") if text.starts_with("- ") => {
                let name = value.trim_matches(['\'', '"']);
                kernels.push(ExecutableStatistics::new(name, name, Vec::new()));
                section = "";
            }
            (4, key) => section = key,
            (6.., key) => {
                let Some(kernel) = kernels.last_mut() else { continue };
                let name = match (section, key) {
                    ("execution_env", "grf_count" | "simd_size" | "spill_size" | "private_size") => key,
                    ("execution_env", "slm_size" | "eu_thread_count" | "barrier_count") => key,
                    ("per_thread_memory_buffers", "size") => "scratch",
                    _ => continue,
                };
                if let Ok(number) = value.parse() {
                    kernel.statistics.push(Statistic::new(name, StatisticValue::Integer(number)));
                }
            }
            _ => {}
        }
    }
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_of_a_zebin() {
        let info = "---\nversion:         '1.73'\nkernels:\n  - name:            run\n    user_attributes:\n      size: 3\n    \
                    execution_env:\n      grf_count:       128\n      has_4gb_buffers: true\n      spill_size:      64\n    \
                    payload_arguments:\n      - arg_type:        local_id\n        size:            12\n    \
                    per_thread_memory_buffers:\n      - type:            scratch\n        usage:           single_space\n        size:            512\n  \
                    - name:            'other'\n    execution_env:\n      simd_size:       16\nkernels_misc_info:\n  - name:            run\n";
        let of = |kernel: &ExecutableStatistics| {
            let statistics = kernel.statistics.iter().map(|one| format!("{} {}", one.name, one.value));
            format!("{}: {}", kernel.entry_point, statistics.collect::<Vec<_>>().join(", "))
        };
        assert_eq!(
            kernels(info).iter().map(of).collect::<Vec<_>>(),
            ["run: grf_count 128, spill_size 64, scratch 512", "other: simd_size 16"]
        );
    }

    #[test]
    fn other_files_have_no_kernels() {
        let mut file = b"\x7fELF\x02".to_vec();
        file.resize(64, 0xff);
        assert_eq!((executables(b"text"), executables(&file)), (None, None));
    }
}
