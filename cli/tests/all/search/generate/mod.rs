//! Random programs: their constants, functions and statements.

mod conditional;

use std::collections::BTreeSet;

use super::expressions::Names;
use super::language::{Conditional, Language};
use super::program::{Feature, Function, Part, Program, Statement};
use super::values::{Constant, Type, literal, value};
use crate::random::Random;

/// The number of words that programs read.
pub const INPUTS: usize = 64;
/// The most invocations of a work-group.
pub const MOST: usize = 8;

/// A statement that a `break` ends: a loop, or a switch.
#[derive(Clone, Copy)]
struct Breakable {
    is_loop: bool,
    /// True if all invocations go through it alike, so that barriers may be in it.
    uniform: bool,
}

struct Generator {
    random: Random,
    names: Names,
    /// Variables that can be assigned.
    written: Vec<(Type, String)>,
    constants: Vec<Constant>,
    functions: Vec<Function>,
    needed: BTreeSet<Feature>,
    /// The number of the next statement.
    next: u32,
    /// The number of names of loop counters and the like.
    counters: usize,
    breakable: Vec<Breakable>,
    /// True if all invocations of a work-group come here, or none.
    uniform: bool,
    /// True if some of them may have returned before.
    returned: bool,
    /// The statement that ends the function.
    ret: String,
    is_main: bool,
    language: &'static Language,
    /// The features that devices have which come here.
    present: Vec<Feature>,
    is_conditional: bool,
}

/// The program of a seed. Its optional features are among these.
pub fn generate(seed: u64, language: &'static Language, features: &[Feature]) -> Program {
    let mut generator = Generator {
        random: Random::new(seed),
        names: Names::default(),
        written: Vec::new(),
        constants: Vec::new(),
        functions: Vec::new(),
        needed: BTreeSet::new(),
        next: 0,
        counters: 0,
        breakable: Vec::new(),
        uniform: false,
        returned: false,
        ret: String::new(),
        is_main: false,
        language,
        present: Vec::new(),
        is_conditional: false,
    };
    let features = generator.random.some(features);
    let size = generator.constants(&features);
    let derived = generator.derived();
    for &feature in &features {
        generator.wide(feature);
    }
    for _ in 0..generator.random.below(3) {
        generator.function();
    }
    if language.conditional == Conditional::Functions {
        for _ in 0..1 + generator.random.below(3) {
            generator.conditional_function();
        }
    }
    generator.main(size, derived)
}

impl Generator {
    /// Declares constants. The SpecId of the one that is the size of work-groups, if one is.
    fn constants(&mut self, features: &[Feature]) -> Option<u32> {
        let mut id = self.random.below(3) as u32;
        let types = [Type::Bool, Type::Bool, Type::Int, Type::Uint, Type::Float];
        for number in 0..5 + self.random.below(4) {
            let of = *types.get(number).unwrap_or(self.random.pick(&types));
            self.add_constant(&mut id, of, Vec::new());
        }
        for &feature in features {
            if self.random.chance(70) {
                let mut bound = vec![(feature, true)];
                if self.random.chance(25) {
                    let other = *self.random.pick(&Feature::ALL);
                    if other != feature {
                        bound.push((other, self.random.chance(50)));
                    }
                }
                let of = *self.random.pick(&[Type::Bool, Type::Uint]);
                self.add_constant(&mut id, of, bound);
            }
        }
        if self.random.chance(40) {
            let bound = (*self.random.pick(&Feature::ALL), self.random.chance(50));
            self.add_constant(&mut id, Type::Bool, vec![bound]);
        }
        self.random.chance(40).then(|| {
            let value = |random: &mut Random| (1 + random.below(MOST)).to_string();
            let (default, value) = (value(&mut self.random), value(&mut self.random));
            self.constants.push(Constant {
                id,
                of: Type::Uint,
                default,
                value,
                bound: Vec::new(),
                bit: None,
            });
            id
        })
    }

    fn add_constant(&mut self, id: &mut u32, of: Type, bound: Vec<(Feature, bool)>) {
        let default = value(&mut self.random, of);
        let value = value(&mut self.random, of);
        let is_bound_integer = of == Type::Uint && !bound.is_empty();
        let bit = (is_bound_integer && self.random.chance(50)).then(|| self.random.below(32) as u32);
        let default = match is_bound_integer && bit.is_none() {
            true => "0".to_owned(),
            false => default,
        };
        let constant = Constant { id: *id, of, default, value, bound, bit };
        if let Type::Bool | Type::Int | Type::Uint | Type::Float = of {
            self.names.constants.push((of, constant.name()));
        }
        self.constants.push(constant);
        *id += 1 + self.random.below(2) as u32;
    }

    /// Constants that are expressions of others. Only some operations can be in them.
    fn derived(&mut self) -> Vec<(Type, String, String)> {
        let mut derived: Vec<(Type, String, String)> = Vec::new();
        for number in 0..self.random.below(4) {
            let of = *self.random.pick(&[Type::Bool, Type::Int, Type::Uint]);
            let leaf = |random: &mut Random, of: Type| {
                let of_type = self.names.constants.iter().filter(|(type_, _)| *type_ == of);
                let names: Vec<&String> = of_type.map(|(_, name)| name).collect();
                (*random.pick(&names)).clone()
            };
            let random = &mut self.random;
            let (one, other) = (leaf(random, of), leaf(random, of));
            let text = match of {
                Type::Bool => {
                    let compared = *random.pick(&[Type::Int, Type::Uint]);
                    let (left, right) = (leaf(random, compared), literal(compared, "2"));
                    match random.below(4) {
                        0 => format!("{one} && !{other}"),
                        1 => format!("{one} || {other}"),
                        2 => format!("{left} == {right}"),
                        _ => format!("{left} < {right}"),
                    }
                }
                _ => {
                    let condition = leaf(random, Type::Bool);
                    match random.below(5) {
                        0 => format!("SELECT({condition}, {one}, {other})"),
                        1 => format!("{one} << SHIFT({other} & {})", literal(of, "3")),
                        _ => format!("{one} {} {other}", random.pick(&["+", "-", "*", "^", "&"])),
                    }
                }
            };
            let name = format!("d{number}");
            self.names.constants.push((of, name.clone()));
            derived.push((of, name, text));
        }
        let lengths = self.names.constants.iter().filter(|(of, _)| *of == Type::Uint);
        let lengths: Vec<String> = lengths.map(|(_, name)| name.clone()).collect();
        if !lengths.is_empty() && self.random.chance(50) {
            let text = format!("({} & 3u) + 1u", self.random.pick(&lengths));
            self.names.constants.push((Type::Uint, "n0".to_owned()));
            derived.push((Type::Uint, "n0".to_owned(), text));
        }
        derived
    }

    /// Declares variables of a function, with initial values from its inputs.
    fn locals(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let locals = [
            (Type::Uint, "uint", "u0"),
            (Type::Uint, "uint", "u1"),
            (Type::Int, "int", "i0"),
            (Type::Int, "int", "i1"),
            (Type::Float, "float", "f0"),
            (Type::Bool, "bool", "b0"),
        ];
        for (of, written, name) in locals {
            let first = self.assigned(of);
            lines.push(format!("VAR({written}, {name}) = {first};"));
            self.names.read.push((of, name.to_owned()));
            self.written.push((of, name.to_owned()));
        }
        if self.random.chance(50) {
            lines.push("VAR(S, st); st.a = i0; st.b = u1; st.c = f0;".to_owned());
            lines.push("VAR(S, sv) = st;".to_owned());
            for (of, name) in [(Type::Int, "st.a"), (Type::Uint, "sv.b"), (Type::Float, "st.c")] {
                self.names.read.push((of, name.to_owned()));
                self.written.push((of, name.to_owned()));
            }
        }
        if self.random.chance(50) {
            let sized = self.names.constants.iter().any(|(_, name)| name == "n0");
            let length = if sized { "n0" } else { "4u" };
            lines.push(format!("ARRAY(ar, {length});"));
            lines.push(format!("for (VAR(uint, k) = 0u; k < {length}; k++) {{ ar[k] = k * 3u + u0; }}"));
            self.names.arrays.push(("ar".to_owned(), length.to_owned()));
        }
        lines
    }

    /// A value for a variable: of floats, only small ones.
    fn assigned(&mut self, of: Type) -> String {
        let depth = 1 + self.random.below(3);
        match of {
            Type::Float => format!("TO_FLOAT({} & 15)", self.names.any(&mut self.random, Type::Int, depth)),
            _ => self.names.any(&mut self.random, of, depth),
        }
    }

    /// A function that computes with the type of an optional feature, and has nothing of it in its interface.
    fn wide(&mut self, feature: Feature) {
        let constant = self.random.chance(30).then(|| {
            let of = Type::Wide(feature);
            let id = self.constants.iter().map(|constant| constant.id + 1).max().unwrap_or(0);
            self.add_constant(&mut { id }, of, Vec::new());
            format!("s{id}")
        });
        let constants = self.begin(vec![(Type::Uint, "p0".to_owned())]);
        // Before SPIR-V 1.4, constants cannot be converted, but glslang does.
        let small = |text: String| format!("TO_WIDE((p0 ^ {text}) & 15u)");
        let wide_value = |random: &mut Random, names: &Names| match (&constant, random.below(2)) {
            (Some(name), 0) => name.clone(),
            _ => small(names.any(random, Type::Uint, 1)),
        };
        let first = wide_value(&mut self.random, &self.names);
        let mut prologue = vec![format!("VAR(WIDE, t) = {first};")];
        for _ in 0..1 + self.random.below(3) {
            let (one, other) =
                (wide_value(&mut self.random, &self.names), wide_value(&mut self.random, &self.names));
            let text = format!("t = TO_WIDE(TO_UINT(t) & 15u) * {one} + {other};");
            prologue.push(match self.random.chance(40) {
                true => format!("if ({}) {{ {text} }}", self.names.condition(&mut self.random, false)),
                false => text,
            });
        }
        self.names.constants = constants;
        self.functions.push(Function {
            result: Some(Type::Uint),
            name: format!("wide{}", self.functions.len()),
            parameters: vec![(Type::Uint, "p0".to_owned(), false)],
            prologue,
            body: Vec::new(),
            end: "return TO_UINT(t);".to_owned(),
            feature: Some(feature),
            condition: Vec::new(),
        });
    }

    /// Begins a function, whose names are its parameters and constants; gives the constants back.
    fn begin(&mut self, parameters: Vec<(Type, String)>) -> Vec<(Type, String)> {
        let constants = self.names.constants.clone();
        self.names = Names { read: parameters, constants: constants.clone(), arrays: Vec::new() };
        self.written.clear();
        constants
    }

    fn function(&mut self) {
        let types = [Type::Uint, Type::Int, Type::Bool];
        let mut parameters = Vec::new();
        for number in 0..1 + self.random.below(3) {
            let is_inout = self.random.chance(40);
            let name = if is_inout { format!("INNER(p{number})") } else { format!("p{number}") };
            parameters.push((*self.random.pick(&types), name, is_inout));
        }
        let result = *self.random.pick(&types[..2]);
        self.begin(parameters.iter().map(|(of, name, _)| (*of, name.clone())).collect());
        self.written = parameters
            .iter()
            .filter(|parameter| parameter.2)
            .map(|parameter| (parameter.0, parameter.1.clone()))
            .collect();
        let prologue = self.locals();
        self.ret = if result == Type::Uint { "return u0;" } else { "return i0;" }.to_owned();
        (self.is_main, self.uniform) = (false, false);
        let body = self.block(2);
        let left = if result == Type::Uint { "u1" } else { "i1" };
        let other = if result == Type::Uint { "TO_UINT(i0) ^ u0" } else { "TO_INT(u1) ^ i0" };
        self.functions.push(Function {
            result: Some(result),
            name: format!("function{}", self.functions.len()),
            parameters,
            prologue,
            body,
            end: format!("return {left} ^ {other};"),
            feature: None,
            condition: Vec::new(),
        });
    }

    fn main(mut self, size: Option<u32>, derived: Vec<(Type, String, String)>) -> Program {
        self.begin(vec![(Type::Uint, "me".to_owned())]);
        self.names.read.push((Type::Uint, "own".to_owned()));
        let mut prologue = vec!["VAR(uint, hash) = 1u;".to_owned()];
        prologue.extend(self.locals());
        for name in ["hash", "g0"] {
            self.names.read.push((Type::Uint, name.to_owned()));
            self.written.push((Type::Uint, name.to_owned()));
        }
        self.ret = "results[me] = hash; return;".to_owned();
        (self.is_main, self.uniform, self.returned) = (true, true, false);
        let mut body = Vec::new();
        for _ in 0..2 + self.random.below(3) {
            body.extend(self.block(3));
        }
        let mixed = self.written.iter().map(|(of, name)| match of {
            Type::Float => format!("hash = hash * 31u + TO_UINT(TO_INT({name} * 2.0f));"),
            _ => format!("hash = hash * 31u + TO_UINT({name});"),
        });
        let mut epilogue: Vec<String> = mixed.collect();
        let arrays = self.names.arrays.iter();
        epilogue.extend(arrays.map(|(name, length)| {
            format!("for (VAR(uint, k) = 0u; k < {length}; k++) {{ hash = hash * 31u + {name}[k]; }}")
        }));
        epilogue.push("results[me] = hash;".to_owned());
        Program {
            constants: self.constants,
            derived,
            functions: self.functions,
            prologue,
            body,
            epilogue,
            size,
            needed: self.needed,
            is_conditional: self.is_conditional,
            statements: self.next,
        }
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let count = 1 + self.random.below(3);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    /// A block, to which all invocations come or none, or else only some.
    fn inner(&mut self, depth: usize, uniform: bool) -> Part {
        let before = self.uniform;
        self.uniform &= uniform;
        let block = Part::Block(self.block(depth - 1));
        self.uniform = before;
        block
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let number = self.next;
        self.next += 1;
        if self.language.conditional == Conditional::Actions && depth > 0 && self.random.chance(15) {
            return Statement { number, parts: self.actions(depth) };
        }
        let text = |text: String| vec![Part::Text(text)];
        let choice = if depth == 0 { self.random.below(50) } else { self.random.below(100) };
        let parts = match choice {
            0..30 => text(self.assignment()),
            30..40 => text(self.call()),
            40..44 if self.uniform && !self.returned => text(self.barrier()),
            44..50 => text(self.jump()),
            50..72 => self.choice(depth),
            72..88 => self.repetition(depth),
            88..98 => self.switch(depth),
            _ => text(self.assignment()),
        };
        Statement { number, parts }
    }

    fn assignment(&mut self) -> String {
        if self.random.chance(15)
            && let Some(element) = self.names.element(&mut self.random)
        {
            return format!("{element} = {};", self.assigned(Type::Uint));
        }
        let (of, name) = self.random.pick(&self.written).clone();
        let value = self.assigned(of);
        match of {
            Type::Uint if self.random.chance(50) => format!("{name} = {name} * 31u + {value};"),
            _ => format!("{name} = {value};"),
        }
    }

    /// A call of a function. That of one that uses an optional feature is guarded by the constant of the feature, if there is one.
    fn call(&mut self) -> String {
        // Loops in loops take long enough.
        if self.functions.is_empty()
            || self.breakable.iter().filter(|breakable| breakable.is_loop).count() > 1
        {
            return self.assignment();
        }
        let chosen = self.random.below(self.functions.len());
        let parameters = self.functions[chosen].parameters.clone();
        let (result, feature) = (self.functions[chosen].result, self.functions[chosen].feature);
        let mut free = self.written.clone();
        let mut take = |random: &mut Random, of: Type, only_locals: bool| {
            let is_local = |name: &str| name != "g0" && !name.contains(['.', '(']);
            let fits = |(type_, name): &(Type, String)| *type_ == of && (!only_locals || is_local(name));
            let fitting: Vec<usize> = (0..free.len()).filter(|at| fits(&free[*at])).collect();
            (!fitting.is_empty()).then(|| free.remove(*random.pick(&fitting)).1)
        };
        let target = result.and_then(|result| take(&mut self.random, result, false));
        let mut arguments = Vec::new();
        for (of, _, is_inout) in parameters {
            arguments.push(match is_inout {
                true => match take(&mut self.random, of, self.language.refers_to_locals) {
                    Some(name) => format!("REFERENCE({name})"),
                    None => return self.assignment(),
                },
                false => self.names.any(&mut self.random, of, 1),
            });
        }
        let name = &self.functions[chosen].name;
        if result.is_none() {
            return format!("{name}({});", arguments.join(", "));
        }
        let Some(target) = target else { return self.assignment() };
        let call = format!("{target} = {name}({});", arguments.join(", "));
        let Some(feature) = feature.filter(|feature| !self.present.contains(feature)) else { return call };
        let implies = |constant: &&Constant| constant.bound.contains(&(feature, true));
        let guards: Vec<&Constant> = self.constants.iter().filter(implies).collect();
        if guards.is_empty() && self.language.conditional != Conditional::Nothing && !self.random.chance(5) {
            return self.assignment();
        }
        if guards.is_empty() || !self.is_main && self.random.chance(5) {
            self.needed.insert(feature);
            return call;
        }
        let guard = self.random.pick(&guards).test();
        match self.random.chance(30) {
            true => {
                let other = self.names.condition(&mut self.random, true);
                format!("if ({guard}) {{ if ({other}) {{ {call} }} else {{ {target} = {target} + 1u; }} }}")
            }
            false => format!("if ({guard}) {{ {call} }}"),
        }
    }

    /// A barrier, between which invocations see what another has written.
    fn barrier(&mut self) -> String {
        if !self.is_main {
            return self.assignment();
        }
        let value = self.names.any(&mut self.random, Type::Uint, 2);
        let other = 1 + self.random.below(3);
        format!("tile[own] = {value}; BARRIER; hash = hash * 31u + tile[(own + {other}u) % SIZE]; BARRIER;")
    }

    /// A `break`, `continue` or `return` under a condition.
    fn jump(&mut self) -> String {
        let innermost = self.breakable.last().copied();
        let innermost_loop = self.breakable.iter().rev().find(|breakable| breakable.is_loop).copied();
        let is_in_uniform = self.breakable.iter().any(|breakable| breakable.uniform);
        let (what, target) = match self.random.below(3) {
            0 => ("break;", innermost),
            1 => ("continue;", innermost_loop),
            _ => ("", None),
        };
        if let Some(target) = target {
            if target.uniform && !self.uniform {
                return self.assignment();
            }
            let condition = self.names.condition(&mut self.random, target.uniform);
            return format!("if ({condition}) {{ {what} }}");
        }
        if self.ret.is_empty() {
            return self.assignment();
        }
        let constant = self.random.chance(50) || is_in_uniform;
        if is_in_uniform && !self.uniform || !self.random.chance(40) {
            return self.assignment();
        }
        let condition = self.names.condition(&mut self.random, constant);
        self.returned |= !(constant && self.uniform);
        format!("if ({condition}) {{ {} }}", self.ret)
    }

    fn choice(&mut self, depth: usize) -> Vec<Part> {
        let uniform = self.random.chance(50);
        let condition = self.names.condition(&mut self.random, uniform);
        let mut parts = vec![Part::Text(format!("if ({condition}) {{")), self.inner(depth, uniform)];
        if self.random.chance(50) {
            parts.push(Part::Text("} else {".to_owned()));
            parts.push(self.inner(depth, uniform));
        }
        parts.push(Part::Text("}".to_owned()));
        parts
    }

    fn repetition(&mut self, depth: usize) -> Vec<Part> {
        let counter = format!("c{}", self.counters);
        self.counters += 1;
        let uniform = self.uniform && self.random.chance(40);
        let limit = match self.random.below(3) {
            0 => format!("({} & 3u)", self.names.constant(&mut self.random, Type::Uint, 1)),
            1 if !uniform => format!("({} & 3u)", self.names.any(&mut self.random, Type::Uint, 1)),
            _ => format!("{}u", 1 + self.random.below(4)),
        };
        let condition = self.names.condition(&mut self.random, uniform);
        let (head, tail) = match self.random.below(5) {
            0 => (
                format!(
                    "for (VAR(uint, {counter}) = 0u; {counter} < {limit} && {condition}; {counter}++) {{"
                ),
                "}".to_owned(),
            ),
            1 => (
                format!("VAR(uint, {counter}) = 0u; while ({counter} < {limit}) {{ {counter}++;"),
                "}".to_owned(),
            ),
            2 => (
                format!("VAR(uint, {counter}) = 0u; DO {{ {counter}++;"),
                format!("END_DO({counter} < {limit} && {condition})"),
            ),
            3 => (
                format!(
                    "for (VAR(uint, {counter}) = 0u; ; {counter}++) {{ if ({counter} >= {limit}) {{ break; }}"
                ),
                "}".to_owned(),
            ),
            _ => (
                format!("for (VAR(uint, {counter}) = 0u; {counter} < {limit}; {counter}++) {{"),
                "}".to_owned(),
            ),
        };
        // The counter does not exist after the loop, or not before.
        self.names.read.push((Type::Uint, counter));
        self.breakable.push(Breakable { is_loop: true, uniform });
        let body = self.inner(depth, uniform);
        self.breakable.pop();
        self.names.read.pop();
        vec![Part::Text("{".to_owned()), Part::Text(head), body, Part::Text(tail), Part::Text("}".to_owned())]
    }

    fn switch(&mut self, depth: usize) -> Vec<Part> {
        let uniform = self.random.chance(60);
        let signed = self.random.chance(50);
        let (of, suffix) = if signed { (Type::Int, "") } else { (Type::Uint, "u") };
        let selector = match uniform {
            true => self.names.constant(&mut self.random, of, 1),
            false => format!("({} & 7{suffix})", self.names.any(&mut self.random, of, 2)),
        };
        let mut parts = vec![Part::Text(format!("switch ({selector}) {{"))];
        let mut labels: Vec<i32> = if signed { (-1..7).collect() } else { (0..8).collect() };
        let cases = 1 + self.random.below(4);
        let default = self.random.below(cases + 1);
        self.breakable.push(Breakable { is_loop: false, uniform: uniform && self.uniform });
        for case in 0..cases {
            let mut label = String::new();
            for _ in 0..1 + self.random.below(2) {
                let value = labels.remove(self.random.below(labels.len()));
                let before = if label.is_empty() { "case" } else { " ALSO" };
                label += &format!("{before} {value}{suffix}");
            }
            if case == default {
                label += " ALSO_DEFAULT";
            }
            parts.push(Part::Text(format!("{label}: {{")));
            // What comes after one that falls through is as uniform as all of it.
            parts.push(self.inner(depth, uniform));
            let falls = self.random.chance(35) && case + 1 < cases && self.language.falls_through;
            parts.push(Part::Text(if falls { "}" } else { "} END_CASE" }.to_owned()));
        }
        self.breakable.pop();
        parts.push(Part::Text(if default < cases { "}" } else { "NO_DEFAULT }" }.to_owned()));
        parts
    }
}
