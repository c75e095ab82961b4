//! The languages of random programs. Each is one file that writes a program; all else about them is here and in `compile.rs`.

use super::compile::{self, Build};
use super::program::{Feature, LeftOut, Program};
use super::{glsl, opencl};
use crate::random::Random;

/// The ways in which a source says that code is for some devices only, beside annotations of its specialization constants.
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
    /// True if the compiler can be told the values of constants and the features of a device, so that nothing is left to decide; and to
    /// compile one of several units.
    pub has_options: bool,
    /// True if the plain test run has programs in it.
    pub is_tested: bool,
    /// The source of a program without some statements.
    pub source: fn(&Program, &LeftOut) -> String,
    pub build: fn(&mut Random) -> Build,
}

pub const LANGUAGES: [Language; 3] = [
    Language {
        name: "glsl",
        interface: "vulkan",
        file: "program.comp",
        conditional: Conditional::Nothing,
        optional: &Feature::ALL,
        has_options: false,
        is_tested: true,
        source: glsl::source,
        build: compile::glsl,
    },
    Language {
        name: "opencl-c",
        interface: "opencl",
        file: "program.cl",
        conditional: Conditional::Functions,
        optional: &[Feature::Float16, Feature::Float64],
        has_options: true,
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
        has_options: true,
        is_tested: false,
        source: opencl::source_in_cpp,
        build: compile::opencl_cpp,
    },
];

impl Language {
    pub fn named(name: &str) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.name == name)
    }
}
