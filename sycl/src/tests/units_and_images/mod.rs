//! The images of programs: for one device and for any, from one translation unit and from several.

mod one_unit;
mod properties;
mod support;
mod units;
