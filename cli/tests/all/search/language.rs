//! The languages of random programs. Each is one file that writes a program; all else about them is here and in `compile.rs`.

use super::compile::{self, Build};
use super::program::{Feature, LeftOut, Program};
use super::values::{Constant, Type};
use super::{glsl, opencl, slang, wgsl};
use crate::random::Random;

/// The ways to mark code for some devices in a source, besides annotations of its specialization constants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Conditional {
    Nothing,
    /// Functions whose names have conditions in them.
    Functions,
    /// Any statements, given as a callable.
    Actions,
}

pub struct Language {
    pub name: &'static str,
    /// The interface of the drivers that run it, with which their names begin.
    pub interface: &'static str,
    /// The name of a file with its source.
    pub file: &'static str,
    pub conditional: Conditional,
    /// The features that devices may be without. The others are those without which a driver's own code does not run.
    pub optional: &'static [Feature],
    /// The features that it has types for.
    pub features: &'static [Feature],
    /// True if a case of a switch may go on in the next.
    pub falls_through: bool,
    /// True if only variables of the function are given to functions that change them.
    pub refers_to_locals: bool,
    /// The text of a number, if the compiler accepts the values of constants and the features of a device, so that nothing stays undecided.
    pub number: Option<fn(Type, &str) -> String>,
    /// True if it can compile one of several units.
    pub has_units: bool,
    /// Names of its compilers' programs.
    pub compilers: &'static [&'static str],
    /// True if the plain test run has programs in it.
    pub is_tested: bool,
    /// The source of a program without some statements.
    pub source: fn(&Program, &LeftOut) -> String,
    pub build: fn(&mut Random) -> Build,
}

pub const LANGUAGES: [Language; 5] = [
    Language {
        name: "glsl",
        interface: "vulkan",
        file: "program.comp",
        conditional: Conditional::Nothing,
        optional: &Feature::ALL,
        features: &Feature::ALL,
        falls_through: true,
        refers_to_locals: false,
        number: None,
        has_units: false,
        compilers: &["glslangValidator"],
        is_tested: true,
        source: glsl::source,
        build: compile::glsl,
    },
    Language {
        name: "slang",
        interface: "vulkan",
        file: "program.slang",
        conditional: Conditional::Functions,
        optional: &Feature::ALL,
        features: &Feature::ALL,
        // slangc 2026.14 makes invalid modules of cases that do.
        falls_through: false,
        // Calls with others are inlined, and unconditional then.
        refers_to_locals: true,
        number: Some(slang::number),
        has_units: false,
        compilers: &["slangc"],
        is_tested: false,
        source: slang::source,
        build: compile::slang,
    },
    Language {
        name: "wgsl",
        interface: "vulkan",
        file: "program.wgsl",
        conditional: Conditional::Functions,
        optional: &[Feature::Float16, Feature::Float64, Feature::Int64],
        features: &[Feature::Float16, Feature::Float64, Feature::Int64],
        falls_through: false,
        refers_to_locals: true,
        number: Some(wgsl::number),
        has_units: false,
        compilers: &["clang", "naga"],
        is_tested: false,
        source: wgsl::source,
        build: compile::wgsl,
    },
    Language {
        name: "opencl-c",
        interface: "opencl",
        file: "program.cl",
        conditional: Conditional::Functions,
        optional: &[Feature::Float16, Feature::Float64],
        features: &Feature::ALL,
        falls_through: true,
        refers_to_locals: false,
        number: Some(opencl::number),
        has_units: true,
        compilers: &["clang", "llvm-spirv"],
        is_tested: false,
        source: opencl::source,
        build: compile::opencl_c,
    },
    Language {
        name: "opencl-cpp",
        interface: "opencl",
        file: "program.clcpp",
        conditional: Conditional::Actions,
        optional: &[Feature::Float16, Feature::Float64],
        features: &Feature::ALL,
        falls_through: true,
        refers_to_locals: false,
        number: Some(opencl::number),
        has_units: true,
        compilers: &["clang", "llvm-spirv"],
        is_tested: false,
        source: opencl::source_in_cpp,
        build: compile::opencl_cpp,
    },
];

impl Language {
    pub fn named(name: &str) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.name == name)
    }

    /// The options of a compiler that make a program plain: the values that its constants have on a device, and the device's features.
    pub fn plain(
        &self,
        program: &Program,
        present: &[Feature],
        value_of: impl Fn(&Constant) -> String,
    ) -> Vec<String> {
        let number = |constant: &Constant| Some((self.number?)(constant.of, &value_of(constant)));
        let value = |constant: &Constant| Some(format!("-DVALUE_{}={}", constant.id, number(constant)?));
        let has =
            |feature: Feature| format!("-DHAS_{}={}", feature.name(), u32::from(present.contains(&feature)));
        let values = program.constants.iter().filter_map(value);
        [String::from("-DPLAIN")].into_iter().chain(values).chain(Feature::ALL.map(has)).collect()
    }
}
