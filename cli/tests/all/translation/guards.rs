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
        let of = *self.random.pick(&[Type::Bool, Type::Uint, Type::Uint]);
        let bit = (of == Type::Uint && self.random.chance(60)).then(|| self.random.below(32) as u32);
        let (default, value) = match (of, bit) {
            (Type::Bool, _) => ("false".to_owned(), "true".to_owned()),
            (_, None) => ("0".to_owned(), "1".to_owned()),
            (_, Some(_)) => (self.random.below(1 << 16).to_string(), self.random.below(1 << 16).to_string()),
        };
        let constant = Constant { id, of, default, value, bound: vec![(FEATURE, true)], bit };
        self.spec_constants.push((of, constant.name()));
        let accessor = self.fresh("bound");
        let end = format!("return {};", constant.name());
        self.declare(&accessor, format!("{} {accessor}()", name_of(of)), &[], end);
        let read = match self.random.chance(50) {
            true => constant.name(),
            false => format!("{accessor}()"),
        };
        let way = self.random.below(3);
        let holds = match (of, bit, way) {
            (Type::Bool, ..) => read,
            (_, Some(bit), way) => self.is_set(&read, bit, way),
            (_, None, 0) => format!("({read} & 1u) != 0u"),
            (_, None, 1) => format!("(({read} << 3) >> 3) == 1u"),
            _ => format!("{read} > 0u"),
        };
        self.guarded = Some(self.condition(holds));
        let wide = "return uint(float16_t(x & 15u) * float16_t(2.0));".to_owned();
        self.declare("wide", "uint wide(uint x)".to_owned(), &[], wide);
        constant
    }

    /// Returns one of several expressions that a bit of a number is set.
    fn is_set(&mut self, number: &str, bit: u32, way: usize) -> String {
        match way {
            0 => format!("(({number} >> {bit}u) & 1u) != 0u"),
            1 => format!("bitfieldExtract({number}, {bit}, 1) == 1u"),
            _ => match self.random.below(4) {
                0 => format!("({number} & {}u) > 0u", 1_u32 << bit),
                1 => format!("({number} << {}u) >= 2147483648u", 31 - bit),
                2 => format!("(({number} / {}u) % 2u) == 1u", 1_u32 << bit),
                _ => {
                    let has = self.fresh("has");
                    let head = format!("bool {has}(uint number, uint bit)");
                    self.declare(&has, head, &[], "return ((number >> bit) & 1u) == 1u;".to_owned());
                    format!("{has}({number}, {bit}u)")
                }
            },
        }
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
