//! Each add-on image is read alone by the translator of OpenCL drivers.

use std::process::Command;

use libtest_mimic::Trial;
use spirv::{Capability, Op};
use spirv_if_sycl::split::SplitOptions;

use super::module;
use crate::common::{bytes_of, first_word, fixtures};
use crate::program::headers::built::folder_of;
use crate::registry::{ignored_without, trial};

/// The folders of the fixtures whose images are read.
const FOLDERS: [&str; 4] = ["drivers/", "frontends/", "opencl/", "program/"];

const TRANSLATOR: &str = "llvm-spirv";

pub fn trials() -> Vec<Trial> {
    let test = trial(module_path!(), "llvm_spirv_reads_each_image", llvm_spirv_reads_each_image);
    vec![ignored_without(test, folder_of(TRANSLATOR).is_none().then_some(TRANSLATOR))]
}

fn llvm_spirv_reads_each_image() {
    let translator = folder_of(TRANSLATOR).unwrap().join(TRANSLATOR);
    let place = tempfile::tempdir().unwrap();
    let (spirv, llvm) = (place.path().join("image.spv"), place.path().join("image.bc"));
    let declaration = [first_word(2, Op::Capability as u16), Capability::Kernel as u32];
    let (mut read, mut problems) = (0, Vec::new());
    for (name, words) in fixtures() {
        let is_kernel = words.windows(2).any(|pair| pair == declaration);
        if !is_kernel || !FOLDERS.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        let module = module(&name, &words).unwrap();
        for add_on_image in spirv_if_sycl::split::add_on(&module, &SplitOptions::default()).unwrap() {
            std::fs::write(&spirv, bytes_of(&add_on_image.image.words)).unwrap();
            let output =
                Command::new(&translator).arg("-r").arg(&spirv).arg("-o").arg(&llvm).output().unwrap();
            let is_llvm = std::fs::read(&llvm).is_ok_and(|bytes| bytes.starts_with(b"BC"));
            if !output.status.success() || !is_llvm {
                problems.push(format!(
                    "{name} {:?}: {}",
                    add_on_image.role,
                    String::from_utf8_lossy(&output.stderr)
                ));
            }
            let _ = std::fs::remove_file(&llvm);
            read += 1;
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(read > 60, "{read} images");
}
