//! Code for devices with an optional feature, behind a constant that annotations bind to the feature. The constant is read in one of several
//! ways.

use super::generate::ShaderGenerator;
use super::shader::name_of;
use crate::search::program::Feature;
use crate::search::values::{Constant, Type};

/// The feature.
pub const FEATURE: Feature = Feature::Float16;

impl ShaderGenerator {
    /// Declares a constant that is bound to the feature, a function that uses the feature, and a condition that reads the constant.
    pub fn guard(&mut self, id: u32) -> Constant {
        let of = *self.random.pick(&[Type::Bool, Type::Uint]);
        let (default, value) = match of {
            Type::Bool => ("false".to_owned(), "true".to_owned()),
            _ => ("0".to_owned(), "1".to_owned()),
        };
        let constant = Constant { id, of, default, value, bound: vec![(FEATURE, true)] };
        self.spec_constants.push((of, constant.name()));
        let accessor = self.fresh("bound");
        let end = format!("return {};", constant.name());
        self.declare(&accessor, format!("{} {accessor}()", name_of(of)), &[], end);
        let read = match self.random.chance(50) {
            true => constant.name(),
            false => format!("{accessor}()"),
        };
        let holds = match (of, self.random.below(3)) {
            (Type::Bool, _) => read,
            (_, 0) => format!("({read} & 1u) != 0u"),
            (_, 1) => format!("(({read} << 3) >> 3) == 1u"),
            _ => format!("{read} > 0u"),
        };
        self.guarded = Some(self.condition(holds));
        let wide = "return uint(float16_t(x & 15u) * float16_t(2.0));".to_owned();
        self.declare("wide", "uint wide(uint x)".to_owned(), &[], wide);
        constant
    }

    /// Declares a way to a value; returns its expression.
    fn condition(&mut self, holds: String) -> String {
        let name = self.fresh("guard");
        let head = format!("bool {name}()");
        match self.random.below(8) {
            0 => return format!("({holds})"),
            1 => {
                self.declare_global(&name, format!("bool {name} = {holds};"));
                return name;
            }
            2 => {
                self.declare(&name, format!("bool {name}(bool p)"), &[], "return p;".to_owned());
                return format!("{name}({holds})");
            }
            3 => {
                let prologue = [format!("if ({holds}) {{ return true; }}")];
                self.declare(&name, head, &prologue, "return false;".to_owned());
            }
            4 => {
                let prologue = ["S s = S(1, 2u, 3.0f, false);".to_owned(), format!("s.d = {holds};")];
                self.declare(&name, head, &prologue, "return s.d;".to_owned());
            }
            5 => {
                let prologue = [format!("bool a[2] = bool[2](false, {holds});")];
                self.declare(&name, head, &prologue, "return a[1];".to_owned());
            }
            6 => {
                let prologue = [format!("bool local = {holds};")];
                self.declare(&name, head, &prologue, "return local;".to_owned());
            }
            _ => self.declare(&name, head, &[], format!("return {holds};")),
        }
        format!("{name}()")
    }
}
