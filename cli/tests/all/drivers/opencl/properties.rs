//! Compile-time properties that drivers heed once they are execution modes.

use spirv_if::{Module, Prepared, Settings};

use super::driver::{self, KernelJob, Refusal};
use crate::common::{root, validate, words_of};
use crate::drivers::DriverCase;

/// The size of work-groups that the property of the kernel in `fixtures/properties/run.cl` requires.
const REQUIRED: usize = 16;
const ITEMS: usize = 64;

pub fn cases() -> Vec<DriverCase> {
    vec![DriverCase::new("properties::work_group_size".to_owned(), work_group_size)]
}

/// The kernel runs with work-groups of the required size, and a launch of another one fails. (As a property alone the size has no effect.)
fn work_group_size() -> Result<String, String> {
    let path = root().join("fixtures/properties/run.spv");
    let words = words_of(&std::fs::read(path).unwrap());
    let device = driver::device()?;
    let of_driver = spirv_if_probe::from_opencl(device.id()).map_err(|error| error.to_string())?;
    let module = Module::from_words(&words[..]).unwrap();
    let prepared = Prepared::new(&module).map_err(|error| error.to_string())?;
    let specialized =
        prepared.specialize(&of_driver, &Settings::new()).map_err(|error| error.to_string())?.words;
    validate(&specialized, "spv1.4")?;
    for group in [REQUIRED, 2 * REQUIRED] {
        let job = KernelJob {
            inputs: Vec::new(),
            outputs: vec![ITEMS],
            numbers: &[],
            halves: &[],
            items: ITEMS,
            group,
            constants: Vec::new(),
        };
        match driver::run_anew(&device, &specialized, &job) {
            Ok(read) if group == REQUIRED && read == [vec![group as u32; ITEMS]] => {}
            Err(Refusal::Fails(call)) if group != REQUIRED && call.starts_with("clEnqueueNDRangeKernel") => {}
            Ok(read) => return Err(format!("with work-groups of {group}: {read:?}")),
            Err(refusal) => return Err(format!("with work-groups of {group}: {}", refusal.call())),
        }
    }
    Ok("only work-groups of the required size".to_owned())
}
