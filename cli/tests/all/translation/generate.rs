//! Random shaders that read their switches in all common ways, and through changing memory.

use super::readers::READERS;
use super::shader::{RandomShader, Routine, ShaderDeclaration, name_of};
use crate::random::Random;
use crate::search::expressions::Names;
use crate::search::program::{Part, Statement};
use crate::search::values::{Constant, Type, literal, value};

/// A function that statements call.
struct Callee {
    name: String,
    /// Types of its parameters, each with true if the caller sees the function's writes.
    parameters: Vec<(Type, bool)>,
}

pub struct ShaderGenerator {
    pub random: Random,
    names: Names,
    /// Variables that can be assigned.
    written: Vec<(Type, String)>,
    /// Specialization constants by their names.
    pub spec_constants: Vec<(Type, String)>,
    /// Functions that assign a variable outside of functions, by its name.
    setters: Vec<(String, String)>,
    /// Arrays outside of functions, with their lengths.
    arrays: Vec<(String, String)>,
    /// The condition under which code may use the optional feature.
    pub guarded: Option<String>,
    /// Expressions of structures.
    pub structures: Vec<String>,
    declarations: Vec<ShaderDeclaration>,
    callees: Vec<Callee>,
    /// The number of the next statement.
    next: u32,
    /// The number of the next name.
    fresh: usize,
    /// True within a loop.
    is_in_loop: bool,
    /// The statement that ends the function.
    end: String,
}

const TYPES: [Type; 4] = [Type::Bool, Type::Int, Type::Uint, Type::Float];

/// Returns the shader of a seed.
pub fn generate(seed: u64) -> RandomShader {
    let mut generator = ShaderGenerator {
        random: Random::new(seed),
        names: Names::default(),
        written: Vec::new(),
        spec_constants: Vec::new(),
        setters: Vec::new(),
        arrays: Vec::new(),
        guarded: None,
        structures: Vec::new(),
        declarations: Vec::new(),
        callees: Vec::new(),
        next: 0,
        fresh: 0,
        is_in_loop: false,
        end: String::new(),
    };
    let mut constants = generator.constants();
    if generator.random.chance(40) {
        constants.push(generator.guard(constants.len() as u32));
    }
    let globals = generator.globals();
    for _ in 0..4 + generator.random.below(6) {
        let reader = *generator.random.pick(&READERS);
        let read = generator.reader(reader);
        generator.names.constants.extend(read);
    }
    for _ in 0..1 + generator.random.below(3) {
        generator.routine(&globals);
    }
    generator.main(constants, &globals)
}

impl ShaderGenerator {
    fn constants(&mut self) -> Vec<Constant> {
        let count = TYPES.len() + 1 + self.random.below(4);
        let constants = (0..count).map(|number| {
            let of = *TYPES.get(number).unwrap_or(self.random.pick(&TYPES));
            let (default, value) = (value(&mut self.random, of), value(&mut self.random, of));
            Constant { id: number as u32, of, default, value, bound: Vec::new(), bit: None }
        });
        let constants: Vec<Constant> = constants.collect();
        self.spec_constants = constants.iter().map(|constant| (constant.of, constant.name())).collect();
        self.names.constants = self.spec_constants.clone();
        constants
    }

    /// Declares variables outside of functions. Returns the readable and assignable expressions.
    fn globals(&mut self) -> Vec<(Type, String)> {
        let mut globals = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let name = self.fresh("global");
            match self.random.below(4) {
                0 => {
                    self.declare_global(&name, format!("S {name};"));
                    globals.push((Type::Uint, format!("{name}.b")));
                    globals.push((Type::Bool, format!("{name}.d")));
                }
                1 => {
                    self.declare_global(&name, format!("uint {name}[3];"));
                    globals.extend((0..3).map(|at| (Type::Uint, format!("{name}[{at}]"))));
                    self.arrays.push((name, "3u".to_owned()));
                }
                _ => {
                    let of = *self.random.pick(&TYPES);
                    let initial = self.leaf(of);
                    let text = match self.random.chance(50) {
                        true => format!("{} {name} = {initial};", name_of(of)),
                        false => format!("{} {name};", name_of(of)),
                    };
                    self.declare_global(&name, text);
                    globals.push((of, name));
                }
            }
        }
        for (of, variable) in &globals {
            let name = self.fresh("set_global");
            self.declare(&name, format!("void {name}({} x)", name_of(*of)), &[], format!("{variable} = x;"));
            self.setters.push((variable.clone(), name));
        }
        for of in TYPES {
            let change = match of {
                Type::Bool => "x = !x;",
                Type::Float => "x += 1.0f;",
                _ => "x ^= 1;",
            };
            let of = name_of(of);
            self.declare(
                &format!("change_{of}"),
                format!("void change_{of}(inout {of} x)"),
                &[],
                change.to_owned(),
            );
        }
        globals
    }

    pub fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh - 1)
    }

    /// Returns a way to read a constant.
    pub fn leaf(&mut self, of: Type) -> String {
        self.names.constant(&mut self.random, of, 0)
    }

    /// Returns a constant, or a literal.
    pub fn simple(&mut self, of: Type) -> String {
        match self.random.chance(50) {
            true => self.leaf(of),
            false => format!("({})", literal(of, &value(&mut self.random, of))),
        }
    }

    pub fn declare_global(&mut self, name: &str, text: String) {
        self.declarations.push(ShaderDeclaration::Global(name.to_owned(), text));
    }

    /// Declares a function without removable statements.
    pub fn declare(&mut self, name: &str, head: String, prologue: &[String], end: String) {
        let (name, prologue) = (name.to_owned(), prologue.to_vec());
        self.declarations.push(ShaderDeclaration::Routine(Routine {
            name,
            head,
            prologue,
            body: Vec::new(),
            end,
        }));
    }

    /// Declares variables of a function. Most begin with constants.
    fn locals(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for of in TYPES {
            for _ in 0..1 + self.random.below(2) {
                let name = self.fresh("local");
                let first = self.assigned(of, 60);
                lines.push(format!("{} {name} = {first};", name_of(of)));
                self.add_name(of, name);
            }
        }
        if self.random.chance(50) {
            let name = self.fresh("structure");
            let first = match self.structures.is_empty() {
                true => "S(1, 2u, 3.0f, true)".to_owned(),
                false => self.random.pick(&self.structures).clone(),
            };
            lines.push(format!("S {name} = {first};"));
            for (of, member) in [(Type::Int, "a"), (Type::Uint, "b"), (Type::Float, "c"), (Type::Bool, "d")] {
                self.add_name(of, format!("{name}.{member}"));
            }
        }
        if self.random.chance(50) {
            let name = self.fresh("array");
            let (one, other) = (self.assigned(Type::Uint, 70), self.assigned(Type::Uint, 70));
            lines.push(format!("uint {name}[4] = uint[4]({one}, {other}, 1u, 2u);"));
            self.names.arrays.push((name.clone(), "4u".to_owned()));
            self.add_name(Type::Uint, format!("{name}[0]"));
            self.add_name(Type::Uint, format!("{name}[1]"));
        }
        lines
    }

    /// Adds a variable that can be read and assigned.
    fn add_name(&mut self, of: Type, name: String) {
        self.names.read.push((of, name.clone()));
        self.written.push((of, name));
    }

    /// Returns a value for a variable, so often of a hundred times one of constants. Of floats, only small ones.
    fn assigned(&mut self, of: Type, constant: usize) -> String {
        let depth = self.random.below(3);
        let is_constant = self.random.chance(constant);
        let value = |generator: &mut ShaderGenerator, of: Type| match is_constant {
            true => generator.names.constant(&mut generator.random, of, depth),
            false => generator.names.any(&mut generator.random, of, depth),
        };
        match of {
            Type::Float => format!("TO_FLOAT({} & 15)", value(self, Type::Int)),
            _ => value(self, of),
        }
    }

    /// Begins a function with the initially readable and assignable expressions.
    fn begin(&mut self, globals: &[(Type, String)]) {
        let constants = std::mem::take(&mut self.names.constants);
        self.names = Names { read: globals.to_vec(), constants, arrays: self.arrays.clone() };
        self.written = globals.to_vec();
        self.is_in_loop = false;
    }

    /// Declares a function that statements call.
    fn routine(&mut self, globals: &[(Type, String)]) {
        let name = self.fresh("routine");
        let mut parameters = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            parameters.push((*self.random.pick(&TYPES[..3]), self.random.chance(35)));
        }
        self.begin(globals);
        let mut heads = Vec::new();
        for (number, (of, is_inout)) in parameters.iter().enumerate() {
            let way = if *is_inout { "inout " } else { "" };
            heads.push(format!("{way}{} p{number}", name_of(*of)));
            self.names.read.push((*of, format!("p{number}")));
            if *is_inout || self.random.chance(20) {
                self.written.push((*of, format!("p{number}")));
            }
        }
        let prologue = self.locals();
        let result = self.assigned(Type::Uint, 30);
        self.end = format!("return {result};");
        let body = self.block(2);
        let end = self.assigned(Type::Uint, 30);
        let head = format!("uint {name}({})", heads.join(", "));
        self.callees.push(Callee { name: name.clone(), parameters });
        let end = format!("return {end};");
        self.declarations.push(ShaderDeclaration::Routine(Routine { name, head, prologue, body, end }));
    }

    fn main(mut self, constants: Vec<Constant>, globals: &[(Type, String)]) -> RandomShader {
        self.begin(&[]);
        let mut prologue = Vec::new();
        // A variable that nobody has set is undefined.
        for (of, name) in globals {
            let first = self.assigned(*of, 70);
            prologue.push(format!("{name} = {first};"));
        }
        globals.iter().for_each(|(of, name)| self.add_name(*of, name.clone()));
        prologue.extend(self.locals());
        self.end = "return;".to_owned();
        let body = self.block(3);
        let mut epilogue = Vec::new();
        let read: Vec<(Type, String)> = self.names.read.clone();
        for (at, (of, name)) in read.iter().take(8).enumerate() {
            let text = match of {
                Type::Float => format!("uint(int({name}))"),
                _ => format!("uint({name})"),
            };
            epilogue.push(format!("results[{}] += {text};", at + 1));
        }
        let declarations = std::mem::take(&mut self.declarations);
        RandomShader { constants, declarations, prologue, body, epilogue, statements: self.next }
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        (0..1 + self.random.below(4)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let number = self.next;
        self.next += 1;
        let parts = match self.random.below(if depth == 0 { 7 } else { 16 }) {
            0 => vec![self.effect()],
            1 | 2 => vec![self.assignment()],
            3 => vec![self.element()],
            4 => vec![self.call()],
            5 => vec![self.exit()],
            6 => vec![self.aggregate()],
            7..=9 => self.branch(depth),
            10 => self.switch(depth),
            11..=13 => self.kept(depth),
            _ => self.repeat(depth),
        };
        Statement { number, parts }
    }

    /// Something that the results show.
    fn effect(&mut self) -> Part {
        let value = self.assigned(Type::Uint, 20);
        let at = 1 + self.random.below(8);
        if let (Some(guard), true) = (&self.guarded, self.random.chance(50)) {
            return Part::Text(format!("if ({guard}) {{ results[{at}] += wide({value}); }}"));
        }
        Part::Text(match self.random.below(4) {
            0 => format!("results[{at}] = {value};"),
            1 => format!("atomicAdd(results[{at}], {value});"),
            _ => format!("results[{at}] = results[{at}] * 31u + {value};"),
        })
    }

    fn assignment(&mut self) -> Part {
        let (of, name) = self.random.pick(&self.written).clone();
        let value = self.assigned(of, 50);
        Part::Text(format!("{name} = {value};"))
    }

    /// An element of an array with any index.
    fn element(&mut self) -> Part {
        let Some(element) = self.names.element(&mut self.random) else { return self.assignment() };
        let value = self.assigned(Type::Uint, 50);
        Part::Text(format!("{element} = {value};"))
    }

    /// A structure or an array as a whole.
    fn aggregate(&mut self) -> Part {
        let of_structure = self.written.iter().find_map(|(_, name)| name.strip_suffix(".b"));
        match of_structure.map(str::to_owned) {
            Some(name) if !self.structures.is_empty() => {
                let other = self.random.pick(&self.structures);
                Part::Text(format!("{name} = {other};"))
            }
            Some(name) => Part::Text(format!("{{ S copy = {name}; copy.b += 1u; {name} = copy; }}")),
            None => self.assignment(),
        }
    }

    fn call(&mut self) -> Part {
        let Some(callee) = self.callees.get(self.random.below(self.callees.len().max(1))) else {
            return self.effect();
        };
        let (name, parameters) = (callee.name.clone(), callee.parameters.clone());
        let mut arguments = Vec::new();
        for (of, is_inout) in parameters {
            let fitting = self.written.iter().filter(|(type_, _)| *type_ == of);
            let fitting: Vec<String> = fitting.map(|(_, name)| name.clone()).collect();
            if is_inout && fitting.is_empty() {
                return self.effect();
            }
            arguments.push(match is_inout {
                true => self.random.pick(&fitting).clone(),
                false if self.random.chance(40) => self.simple(of),
                false => self.assigned(of, 60),
            });
        }
        let at = 1 + self.random.below(8);
        Part::Text(format!("results[{at}] += {name}({});", arguments.join(", ")))
    }

    /// The end of a loop or of the function, on a condition.
    fn exit(&mut self) -> Part {
        let exit = match self.is_in_loop {
            true => *self.random.pick(&["break;", "continue;"]),
            false => &self.end,
        };
        let exit = exit.to_owned();
        let condition = self.names.condition(&mut self.random, false);
        Part::Text(format!("if ({condition}) {{ {exit} }}"))
    }

    /// A statement that shows that it ran.
    fn mark(&mut self) -> Statement {
        let (at, number) = (1 + self.random.below(8), 1 + self.random.below(9));
        self.next += 1;
        let text = format!("results[{at}] = results[{at}] * 31u + {number}u;");
        Statement { number: self.next - 1, parts: vec![Part::Text(text)] }
    }

    /// A block that shows that it ran.
    fn marked(&mut self, depth: usize) -> Part {
        let mut statements = vec![self.mark()];
        statements.extend(self.block(depth));
        Part::Block(statements)
    }

    /// A constant in a variable, a statement that may change it, and a branch on its value.
    fn kept(&mut self, depth: usize) -> Vec<Part> {
        let of_module =
            self.written.iter().filter(|written| self.setters.iter().any(|(name, _)| *name == written.1));
        let of_module: Vec<(Type, String)> = of_module.cloned().collect();
        let choices = if self.random.chance(40) { &of_module } else { &self.written };
        let (of, name) = self.random.pick(choices).clone();
        let constant = match of {
            Type::Float => self.assigned(of, 100),
            _ if self.random.chance(40) => self.spec_constant(of),
            _ => self.simple(of),
        };
        let set = format!("{name} = {constant};");
        let inner = match self.random.chance(60) {
            true => Part::Block(vec![self.disturbance(of, &name)]),
            false => Part::Block(self.block(depth - 1)),
        };
        vec![
            Part::Text(set),
            inner,
            Part::Text(format!("if ({name} == {constant}) {{")),
            Part::Block(vec![self.mark()]),
            Part::Text("} else {".to_owned()),
            Part::Block(vec![self.mark()]),
            Part::Text("}".to_owned()),
        ]
    }

    /// A change of a variable by other means than an assignment of its own, if there is one.
    fn disturbance(&mut self, of: Type, name: &str) -> Statement {
        let value = self.assigned(of, 50);
        let setter = self.setters.iter().find(|(variable, _)| variable == name);
        let array = self.names.arrays.iter().find(|(array, _)| name.starts_with(&format!("{array}[")));
        let text = match (setter, array, name.split_once('.')) {
            (Some((_, setter)), ..) if self.random.chance(60) => format!("{setter}({value});"),
            (_, Some((array, length)), _) if self.random.chance(60) => {
                format!("{array}[data[{}] % {length}] = {value};", self.random.below(64))
            }
            (_, _, Some((structure, _))) if self.random.chance(60) && !self.structures.is_empty() => {
                format!("{structure} = {};", self.random.pick(&self.structures))
            }
            _ => match self.random.below(3) {
                0 => format!("change_{}({name});", name_of(of)),
                1 => format!("if (data[{}] > 100u) {{ {name} = {value}; }}", self.random.below(64)),
                _ => format!("for (uint k = 0u; k < (data[7] & 3u); k++) {{ {name} = {value}; }}"),
            },
        };
        self.next += 1;
        Statement { number: self.next - 1, parts: vec![Part::Text(text)] }
    }

    fn branch(&mut self, depth: usize) -> Vec<Part> {
        let condition = self.names.condition(&mut self.random, false);
        let mut parts = vec![Part::Text(format!("if ({condition}) {{")), self.marked(depth - 1)];
        if self.random.chance(50) {
            parts.push(Part::Text("} else {".to_owned()));
            parts.push(self.marked(depth - 1));
        }
        parts.push(Part::Text("}".to_owned()));
        parts
    }

    fn switch(&mut self, depth: usize) -> Vec<Part> {
        let selector = self.assigned(Type::Uint, 60);
        let mut parts = vec![Part::Text(format!("switch ({selector} & 7u) {{"))];
        // A `break` would be the switch's.
        let is_in_loop = std::mem::replace(&mut self.is_in_loop, false);
        for label in ["case 0u:", "case 1u: case 4u:", "case 2u:", "default:"] {
            if self.random.chance(25) {
                continue;
            }
            parts.push(Part::Text(label.to_owned()));
            parts.push(self.marked(depth - 1));
            // Otherwise it continues in the next.
            let goes_on = self.random.chance(25) && label != "default:";
            parts.push(Part::Text(if goes_on { ";" } else { "break;" }.to_owned()));
        }
        self.is_in_loop = is_in_loop;
        parts.push(Part::Text("}".to_owned()));
        parts
    }

    fn repeat(&mut self, depth: usize) -> Vec<Part> {
        let counter = self.fresh("k");
        let bound = match self.random.below(3) {
            0 => format!("{}u", 1 + self.random.below(3)),
            1 => format!("({} & 3u)", self.assigned(Type::Uint, 100)),
            _ => format!("({} & 3u)", self.assigned(Type::Uint, 0)),
        };
        let is_in_loop = std::mem::replace(&mut self.is_in_loop, true);
        self.names.read.push((Type::Uint, counter.clone()));
        let body = self.block(depth - 1);
        self.names.read.retain(|(_, name)| *name != counter);
        self.is_in_loop = is_in_loop;
        let head = format!("for (uint {counter} = 0u; {counter} < {bound}; {counter}++) {{");
        vec![Part::Text(head), Part::Block(body), Part::Text("}".to_owned())]
    }
}
