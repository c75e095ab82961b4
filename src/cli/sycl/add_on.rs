//! `spirv-if sycl add-on`.

use clap::Args;
use spirv_if::Jit;

use super::super::log::Log;
use super::post_link::ProgramArgs;

/// Put what is conditional into images of its own, which a runtime links for a device
///
/// For runtimes and drivers that link SPIR-V, and know neither conditions nor
/// `spirv-if specialize`. Links the modules, and splits them into images as
/// `spirv-if split` does. Each image calls the functions that it needs only where a
/// condition holds as functions of other images, of which there are two for each
/// condition: OUT_add_on_ID.spv has the functions, and OUT_add_on_ID_stub.spv what is
/// called instead of them on other devices. These may have add-on images in turn.
///
/// Property sets (.prop) and symbols (.sym) are written beside each image, and the
/// table has a row for each. The property set `SYCL/add on images` of an image lists
/// the ids of the pairs that it calls, each with its condition; `SYCL/add on image`
/// has the id of a pair, and 1 for the functions or 0 for the stubs.
///
/// Examples:
///
///   The images of a program of two translation units:
///     spirv-if sycl add-on a.spv b.spv -o app.table
///
/// Exit status: 0 done, 1 error, 2 wrong usage. Unless it is 0, nothing is
/// written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    #[command(flatten)]
    program: ProgramArgs,
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        self.program.run(Jit::AddOn, log)
    }
}
