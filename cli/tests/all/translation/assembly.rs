//! Random modules in assembly, with constructs that GLSL does not have. These are parts copied by OpCopyMemory, volatile accesses, recursion,
//! selected pointers, phis, exported functions, and two entry points with shared variables.

use std::fmt::Write;

use crate::random::Random;
use crate::search::program::{LeftOut, Part, Statement, block};
use crate::search::values::{Constant, Type, value};

/// Declarations of every module, between those of its constants.
const HEAD: &str = "\
OpCapability Shader
OpCapability VariablePointers
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %inputs %results %p_uint %p_bool %p_struct %p_array %w0 %w1
OpEntryPoint GLCompute %other \"other\" %inputs %results %p_uint %p_bool %p_struct %p_array %w0 %w1
OpExecutionMode %main LocalSize 1 1 1
OpExecutionMode %other LocalSize 1 1 1
OpDecorate %buffer Block
OpMemberDecorate %buffer 0 Offset 0
OpDecorate %words ArrayStride 4
OpDecorate %inputs DescriptorSet 0
OpDecorate %inputs Binding 0
OpDecorate %results DescriptorSet 0
OpDecorate %results Binding 1
";

const TYPES: &str = "\
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%true = OpConstantTrue %bool
%false = OpConstantFalse %bool
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u4 = OpConstant %uint 4
%u16 = OpConstant %uint 16
%array = OpTypeArray %uint %u4
%struct = OpTypeStruct %uint %bool %array
%pair = OpTypeStruct %uint %uint
%words = OpTypeArray %uint %u16
%buffer = OpTypeStruct %words
%to_void = OpTypeFunction %void
%uint_to_uint = OpTypeFunction %uint %uint
%f_ptr_uint = OpTypePointer Function %uint
%f_ptr_bool = OpTypePointer Function %bool
%f_ptr_struct = OpTypePointer Function %struct
%f_ptr_array = OpTypePointer Function %array
%p_ptr_uint = OpTypePointer Private %uint
%p_ptr_bool = OpTypePointer Private %bool
%p_ptr_struct = OpTypePointer Private %struct
%p_ptr_array = OpTypePointer Private %array
%w_ptr_uint = OpTypePointer Workgroup %uint
%s_ptr_uint = OpTypePointer StorageBuffer %uint
%s_ptr_buffer = OpTypePointer StorageBuffer %buffer
%changing = OpTypeFunction %uint %f_ptr_uint %f_ptr_struct %uint
%inputs = OpVariable %s_ptr_buffer StorageBuffer
%results = OpVariable %s_ptr_buffer StorageBuffer
%w0 = OpVariable %w_ptr_uint Workgroup
%w1 = OpVariable %w_ptr_uint Workgroup
";

/// A module in text.
pub struct AssemblyModule {
    pub constants: Vec<Constant>,
    head: String,
    functions: Vec<AssemblyFunction>,
    pub statements: u32,
}

/// A function: its text before and after its statements.
struct AssemblyFunction {
    start: String,
    statements: Vec<Statement>,
    end: String,
}

impl AssemblyModule {
    /// Returns the text without some statements.
    pub fn source(&self, left_out: &LeftOut) -> String {
        let function = |body: &AssemblyFunction| {
            format!("{}{}{}", body.start, block(&body.statements, left_out, 0), body.end)
        };
        let functions: String = self.functions.iter().map(function).collect();
        format!("{}{functions}", self.head)
    }
}

/// A part of a variable: the letter of its storage class, its type, and the text that points to it.
#[derive(Clone)]
struct VariablePart {
    class: char,
    of: &'static str,
    pointer: String,
}

struct AssemblyGenerator {
    random: Random,
    constants: Vec<Constant>,
    /// Operations on specialization constants: their types.
    derived: Vec<&'static str>,
    /// Whole variables that a function may use.
    places: Vec<VariablePart>,
    /// Whole variables that a function writes to once.
    written_once: Vec<VariablePart>,
    /// True if it may have more of these.
    declares: bool,
    /// The lines that declare them.
    declared: String,
    /// The number of the next statement.
    next: u32,
    /// The number of the next id.
    fresh: usize,
    /// The lines of the statement.
    lines: Vec<String>,
    /// The merge block of the loop.
    merge: Option<String>,
    /// The instruction that ends the function.
    end: &'static str,
    /// True if other functions can be called.
    calls: bool,
}

/// Returns the module of a seed.
pub fn generate(seed: u64) -> AssemblyModule {
    let mut generator = AssemblyGenerator {
        random: Random::new(seed ^ 0x5eed),
        constants: Vec::new(),
        derived: Vec::new(),
        places: Vec::new(),
        written_once: Vec::new(),
        declares: false,
        declared: String::new(),
        next: 0,
        fresh: 0,
        lines: Vec::new(),
        merge: None,
        end: "OpReturn",
        calls: false,
    };
    let head = generator.head();
    let mut functions = vec![generator.changing(), generator.touching(), generator.recursive()];
    generator.calls = true;
    functions.extend(["main", "other"].map(|name| generator.entry_point(name)));
    AssemblyModule { constants: generator.constants, head, functions, statements: generator.next }
}

impl AssemblyGenerator {
    fn head(&mut self) -> String {
        let mut head = HEAD.to_owned();
        if self.random.chance(50) {
            head.insert_str(0, "OpCapability Linkage\n");
            for name in ["touch", "recurse"] {
                let _ = writeln!(head, "OpDecorate %{name} LinkageAttributes \"{name}\" Export");
            }
        }
        let mut declarations = String::new();
        for id in 0..5 {
            let of = if id < 2 { Type::Bool } else { Type::Uint };
            let (default, value) = (value(&mut self.random, of), value(&mut self.random, of));
            let _ = writeln!(head, "OpDecorate %c{id} SpecId {id}");
            let _ = match (of, default.as_str()) {
                (Type::Bool, "true") => writeln!(declarations, "%c{id} = OpSpecConstantTrue %bool"),
                (Type::Bool, _) => writeln!(declarations, "%c{id} = OpSpecConstantFalse %bool"),
                _ => writeln!(declarations, "%c{id} = OpSpecConstant %uint {default}"),
            };
            self.constants.push(Constant { id, of, default, value, bound: Vec::new(), bit: None });
        }
        for number in 0..3 {
            let (of, text) = match self.random.below(6) {
                0 => ("uint", "IAdd %c2 %c3"),
                1 => ("uint", "ShiftRightLogical %c2 %u1"),
                2 => ("uint", "BitwiseAnd %c4 %u3"),
                3 => ("uint", "Select %c0 %c2 %u3"),
                4 => ("bool", "ULessThan %c3 %u2"),
                _ => ("bool", "LogicalAnd %c0 %c1"),
            };
            let _ = writeln!(declarations, "%d{number} = OpSpecConstantOp %{of} {text}");
            self.derived.push(of);
        }
        let array = "%array_value = OpSpecConstantComposite %array %u1 %c2 %u0 %c3\n";
        let composite = "%struct_value = OpSpecConstantComposite %struct %c3 %c1 %array_value\n";
        declarations += &[array, composite].concat();
        for (of, initializer) in
            [("uint", "%c2"), ("bool", "%c0"), ("struct", "%struct_value"), ("array", "%array_value")]
        {
            let initializer = match self.random.chance(60) {
                true => initializer.to_owned(),
                false => {
                    let _ = writeln!(declarations, "%null_{of} = OpConstantNull %{of}");
                    format!("%null_{of}")
                }
            };
            let _ = writeln!(declarations, "%p_{of} = OpVariable %p_ptr_{of} Private {initializer}");
        }
        format!("{head}{TYPES}{declarations}")
    }

    fn id(&mut self) -> String {
        self.fresh += 1;
        format!("%x{}", self.fresh - 1)
    }

    /// Adds an instruction with a result; returns that.
    fn instruction(&mut self, text: &str) -> String {
        let id = self.id();
        self.lines.push(format!("{id} = {text}"));
        id
    }

    /// Takes the lines so far.
    fn text(&mut self) -> Part {
        Part::Text(std::mem::take(&mut self.lines).join("\n"))
    }

    /// Begins a function that may use these local variables besides those of the module.
    fn begin(&mut self, locals: &[(&'static str, &str)]) {
        let global = ["uint", "bool", "struct", "array"].map(|of| VariablePart {
            class: 'p',
            of,
            pointer: format!("%p_{of}"),
        });
        let local =
            locals.iter().map(|&(of, name)| VariablePart { class: 'f', of, pointer: name.to_owned() });
        self.places = global.into_iter().chain(local).collect();
        for name in ["%w0", "%w1"] {
            self.places.push(VariablePart { class: 'w', of: "uint", pointer: name.to_owned() });
        }
        self.written_once.clear();
        self.declares = false;
        self.merge = None;
    }

    /// Adds a local variable that is written here alone, all at a time or by element.
    fn write_once(&mut self, of: &'static str) {
        let pointer = self.id();
        let _ = writeln!(self.declared, "{pointer} = OpVariable %f_ptr_{of} Function");
        let elements = match of {
            "struct" => vec![("uint", Some(0)), ("bool", Some(1)), ("array", Some(2))],
            of => vec![(of, None)],
        };
        for (of, index) in elements {
            let value = self.value(of);
            let place = match index {
                Some(index) => self.instruction(&format!("OpAccessChain %f_ptr_{of} {pointer} %u{index}")),
                None => pointer.clone(),
            };
            self.lines.push(format!("OpStore {place} {value}"));
        }
        self.written_once.push(VariablePart { class: 'f', of, pointer });
    }

    /// Returns the lines that write to some local variables once, of a function that may declare more.
    fn first_writes(&mut self) -> String {
        self.declares = true;
        ["uint", "bool", "struct"].into_iter().for_each(|of| self.write_once(of));
        std::mem::take(&mut self.lines).join("\n") + "\n"
    }

    /// Returns the lines of local variables with values, named after a function.
    fn variables(&mut self, function: &str) -> (Vec<(&'static str, String)>, String) {
        let mut text = String::new();
        let mut variables = Vec::new();
        for (of, values) in [
            ("uint", ["%c2", "%u3", "%c4"]),
            ("bool", ["%c0", "%false", "%c1"]),
            ("struct", ["%struct_value"; 3]),
            ("array", ["%array_value"; 3]),
        ] {
            let name = format!("%{function}_{of}");
            let initializer = self.random.pick(&values);
            let _ = writeln!(text, "{name} = OpVariable %f_ptr_{of} Function {initializer}");
            variables.push((of, name));
        }
        (variables, text)
    }

    /// A function that writes through pointers.
    fn changing(&mut self) -> AssemblyFunction {
        self.begin(&[("uint", "%pointer"), ("struct", "%structure")]);
        self.end = "OpReturnValue %n";
        let statements = self.block(1);
        let start = "%change = OpFunction %uint None %changing\n%pointer = OpFunctionParameter %f_ptr_uint\n\
            %structure = OpFunctionParameter %f_ptr_struct\n%n = OpFunctionParameter %uint\n%at_change = OpLabel\n";
        AssemblyFunction {
            start: start.to_owned(),
            statements,
            end: "OpReturnValue %n\nOpFunctionEnd\n".to_owned(),
        }
    }

    /// A function that writes variables of the module.
    fn touching(&mut self) -> AssemblyFunction {
        let (variables, text) = self.variables("touch");
        self.begin(&variables.iter().map(|(of, name)| (*of, name.as_str())).collect::<Vec<_>>());
        self.end = "OpReturn";
        let writes = self.first_writes();
        let statements = self.block(1);
        let declared = std::mem::take(&mut self.declared);
        let start =
            format!("%touch = OpFunction %void None %to_void\n%at_touch = OpLabel\n{text}{declared}{writes}");
        AssemblyFunction { start, statements, end: "OpReturn\nOpFunctionEnd\n".to_owned() }
    }

    /// A function that calls itself.
    fn recursive(&mut self) -> AssemblyFunction {
        self.begin(&[]);
        let mut start =
            "%recurse = OpFunction %uint None %uint_to_uint\n%depth = OpFunctionParameter %uint\n\
            %at_recurse = OpLabel\n%is_last = OpIEqual %bool %depth %u0\nOpSelectionMerge %deeper None\n\
            OpBranchConditional %is_last %last %deeper\n%last = OpLabel\n"
                .to_owned();
        let value = self.number(1);
        start += &std::mem::take(&mut self.lines).join("\n");
        let _ = write!(
            start,
            "\nOpReturnValue {value}\n%deeper = OpLabel\n%less = OpISub %uint %depth %u1\n\
            %inner = OpFunctionCall %uint %recurse %less\n"
        );
        self.end = "OpReturnValue %less";
        let statements = self.block(0);
        let other = self.random.pick(&["%c2", "%u1", "%c3", "%depth"]).to_string();
        let end = format!("%deep = OpIAdd %uint %inner {other}\nOpReturnValue %deep\nOpFunctionEnd\n");
        AssemblyFunction { start, statements, end }
    }

    fn entry_point(&mut self, name: &str) -> AssemblyFunction {
        let (variables, text) = self.variables(name);
        self.begin(&variables.iter().map(|(of, name)| (*of, name.as_str())).collect::<Vec<_>>());
        self.end = "OpReturn";
        let writes = self.first_writes();
        let statements = self.block(3);
        let declared = std::mem::take(&mut self.declared);
        let start = format!(
            "%{name} = OpFunction %void None %to_void\n%at_{name} = OpLabel\n{text}{declared}\
            OpStore %w0 %u0\nOpStore %w1 %c2\n{writes}"
        );
        for _ in 0..4 {
            let value = self.load("uint");
            self.show(&value);
        }
        let end = format!("{}\nOpReturn\nOpFunctionEnd\n", std::mem::take(&mut self.lines).join("\n"));
        AssemblyFunction { start, statements, end }
    }

    /// Returns a place of a type, perhaps a part of a variable.
    fn place(&mut self, of: &'static str) -> VariablePart {
        let whole = self.random.pick(&self.places).clone();
        match self.part(&whole, of) {
            Some(part) => part,
            None => self.place(of),
        }
    }

    /// Returns a part of a variable of a type, if it has one.
    fn part(&mut self, whole: &VariablePart, of: &'static str) -> Option<VariablePart> {
        if whole.of == of {
            return Some(whole.clone());
        }
        let index = match self.random.below(5) {
            0 => {
                let value = self.number(0);
                self.instruction(&format!("OpBitwiseAnd %uint {value} %u3"))
            }
            at => format!("%u{}", at - 1),
        };
        let indices = match (whole.of, of) {
            ("struct", "uint") if self.random.chance(50) => "%u0".to_owned(),
            ("struct", "uint") => format!("%u2 {index}"),
            ("struct", "bool") => "%u1".to_owned(),
            ("struct", "array") => "%u2".to_owned(),
            ("array", "uint") => index,
            _ => return None,
        };
        let text = format!("OpAccessChain %{}_ptr_{of} {} {indices}", whole.class, whole.pointer);
        Some(VariablePart { class: whole.class, of, pointer: self.instruction(&text) })
    }

    /// Returns the operand of an access that may be volatile.
    fn volatile(&mut self) -> &'static str {
        if self.random.chance(10) { " Volatile" } else { "" }
    }

    fn load(&mut self, of: &'static str) -> String {
        let written_once = match self.written_once.is_empty() || self.random.chance(70) {
            true => None,
            false => {
                let whole = self.random.pick(&self.written_once).clone();
                self.part(&whole, of)
            }
        };
        let place = written_once.unwrap_or_else(|| self.place(of));
        let volatile = self.volatile();
        self.instruction(&format!("OpLoad %{of} {}{volatile}", place.pointer))
    }

    /// Returns a number: a constant, or one of an operation.
    fn number(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 5 } else { 9 }) {
            0 => format!("%u{}", self.random.below(5)),
            1 => format!("%c{}", 2 + self.random.below(3)),
            2 => match self.derived.iter().position(|of| *of == "uint") {
                Some(number) => format!("%d{number}"),
                None => "%c2".to_owned(),
            },
            3 => self.load("uint"),
            4 if self.random.chance(50) => {
                let at = self.random.below(5);
                let place = self.instruction(&format!("OpAccessChain %s_ptr_uint %inputs %u0 %u{at}"));
                self.instruction(&format!("OpLoad %uint {place}"))
            }
            4 => self.load("uint"),
            5 => {
                let (condition, one, other) =
                    (self.truth(depth - 1), self.number(depth - 1), self.number(depth - 1));
                self.instruction(&format!("OpSelect %uint {condition} {one} {other}"))
            }
            6 => {
                let op = *self.random.pick(&["IAddCarry", "ISubBorrow", "UMulExtended", "SMulExtended"]);
                let (one, other) = (self.number(depth - 1), self.number(depth - 1));
                let both = self.instruction(&format!("Op{op} %pair {one} {other}"));
                let part = self.random.below(2);
                self.instruction(&format!("OpCompositeExtract %uint {both} {part}"))
            }
            7 => {
                let (array, value) = (self.load("array"), self.number(depth - 1));
                let (at, other) = (self.random.below(4), self.random.below(4));
                let array = self.instruction(&format!("OpCompositeInsert %array {value} {array} {at}"));
                self.instruction(&format!("OpCompositeExtract %uint {array} {other}"))
            }
            _ => {
                let op = *self.random.pick(&[
                    "IAdd",
                    "ISub",
                    "IMul",
                    "BitwiseAnd",
                    "BitwiseXor",
                    "ShiftRightLogical",
                ]);
                let (one, other) = (self.number(depth - 1), self.number(depth - 1));
                let other = if op.starts_with("Shift") { "%u1".to_owned() } else { other };
                self.instruction(&format!("Op{op} %uint {one} {other}"))
            }
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0 => format!("%c{}", self.random.below(2)),
            1 | 3 => self.load("bool"),
            2 => match self.derived.iter().position(|of| *of == "bool") {
                Some(number) => format!("%d{number}"),
                None => "%c1".to_owned(),
            },
            4 => {
                let (one, other) = (self.truth(depth - 1), self.truth(depth - 1));
                let op = *self.random.pick(&["LogicalAnd", "LogicalOr", "LogicalNotEqual"]);
                self.instruction(&format!("Op{op} %bool {one} {other}"))
            }
            _ => {
                let (one, other) = (self.number(depth - 1), self.number(0));
                let op = *self.random.pick(&["IEqual", "INotEqual", "ULessThan", "UGreaterThanEqual"]);
                self.instruction(&format!("Op{op} %bool {one} {other}"))
            }
        }
    }

    fn value(&mut self, of: &'static str) -> String {
        match of {
            "uint" => self.number(1),
            "bool" => self.truth(1),
            _ if self.random.chance(30) => format!("%{of}_value"),
            _ => self.load(of),
        }
    }

    /// Shows a value in the results.
    fn show(&mut self, value: &str) {
        let at = self.random.below(5);
        let place = self.instruction(&format!("OpAccessChain %s_ptr_uint %results %u0 %u{at}"));
        let old = self.instruction(&format!("OpLoad %uint {place}"));
        let product = self.instruction(&format!("OpIMul %uint {old} %u3"));
        let sum = self.instruction(&format!("OpIAdd %uint {product} {value}"));
        self.lines.push(format!("OpStore {place} {sum}"));
    }

    /// Shows that it ran.
    fn mark(&mut self) -> Statement {
        let value = format!("%u{}", 1 + self.random.below(4));
        self.show(&value);
        self.next += 1;
        Statement { number: self.next - 1, parts: vec![self.text()] }
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let count = self.written_once.len();
        let statements = (0..1 + self.random.below(4)).map(|_| self.statement(depth)).collect();
        // What is read without a write is undefined.
        if self.random.chance(75) {
            self.written_once.truncate(count);
        }
        statements
    }

    /// A block that shows that it ran.
    fn marked(&mut self, depth: usize) -> Vec<Statement> {
        let mark = self.mark();
        let mut statements = vec![mark];
        statements.extend(self.block(depth));
        statements
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let number = self.next;
        self.next += 1;
        let of = *self.random.pick(&["uint", "uint", "bool", "struct", "array"]);
        match self.random.below(if depth == 0 { 9 } else { 18 }) {
            0 => {
                let value = self.load("uint");
                self.show(&value);
            }
            1 | 2 => {
                let (place, value, volatile) = (self.place(of), self.value(of), self.volatile());
                self.lines.push(format!("OpStore {} {value}{volatile}", place.pointer));
            }
            3 | 4 => {
                let (to, from, volatile) = (self.place(of), self.place(of), self.volatile());
                self.lines.push(format!("OpCopyMemory {} {}{volatile}", to.pointer, from.pointer));
            }
            5 if self.declares && self.random.chance(60) => self.write_once(of),
            5 => self.chosen_pointer(),
            6 => self.exit(),
            7 => self.choice(),
            8 => self.call(),
            9 | 10 => return Statement { number, parts: self.branch(depth) },
            11 => return Statement { number, parts: self.switch(depth) },
            12..=15 => return Statement { number, parts: self.kept(depth) },
            _ => return Statement { number, parts: self.repeat(depth) },
        }
        Statement { number, parts: vec![self.text()] }
    }

    /// A write through one of two pointers, or an atomic one.
    fn chosen_pointer(&mut self) {
        let (condition, value) = (self.truth(1), self.number(0));
        let pointer = self.instruction(&format!("OpSelect %w_ptr_uint {condition} %w0 %w1"));
        match self.random.chance(50) {
            true => self.lines.push(format!("OpStore {pointer} {value}")),
            false => {
                self.instruction(&format!("OpAtomicIAdd %uint {pointer} %u2 %u0 {value}"));
            }
        }
    }

    /// The end of the loop or the function, on a condition.
    fn exit(&mut self) {
        let condition = self.truth(1);
        let (exit, next) = (self.id(), self.id());
        self.lines
            .push(format!("OpSelectionMerge {next} None\nOpBranchConditional {condition} {exit} {next}"));
        let end = match &self.merge {
            Some(merge) => format!("OpBranch {merge}"),
            None => self.end.to_owned(),
        };
        self.lines.push(format!("{exit} = OpLabel\n{end}\n{next} = OpLabel"));
    }

    /// A phi of values that two blocks compute.
    fn choice(&mut self) {
        let condition = self.truth(1);
        let [one, other, merge] = [self.id(), self.id(), self.id()];
        self.lines
            .push(format!("OpSelectionMerge {merge} None\nOpBranchConditional {condition} {one} {other}"));
        self.lines.push(format!("{one} = OpLabel"));
        let first = self.number(1);
        self.lines.push(format!("OpBranch {merge}\n{other} = OpLabel"));
        let second = self.number(1);
        self.lines.push(format!("OpBranch {merge}\n{merge} = OpLabel"));
        let value = self.instruction(&format!("OpPhi %uint {first} {one} {second} {other}"));
        let place = self.place("uint");
        self.lines.push(format!("OpStore {} {value}", place.pointer));
    }

    fn call(&mut self) {
        let local = |of: &str| self.places.iter().find(|place| place.class == 'f' && place.of == of).cloned();
        let (Some(number), Some(structure), true) = (local("uint"), local("struct"), self.calls) else {
            return self.chosen_pointer();
        };
        match self.random.below(3) {
            0 => {
                self.instruction("OpFunctionCall %void %touch");
            }
            1 => {
                let value = self.number(0);
                let depth = self.instruction(&format!("OpBitwiseAnd %uint {value} %u3"));
                let result = self.instruction(&format!("OpFunctionCall %uint %recurse {depth}"));
                let place = self.place("uint");
                self.lines.push(format!("OpStore {} {result}", place.pointer));
            }
            _ => {
                let value = self.number(1);
                let pointers = format!("{} {}", number.pointer, structure.pointer);
                let result = self.instruction(&format!("OpFunctionCall %uint %change {pointers} {value}"));
                let place = self.place("uint");
                self.lines.push(format!("OpStore {} {result}", place.pointer));
            }
        }
    }

    /// A constant in a place, a statement that may change the place, and a branch on its value.
    fn kept(&mut self, depth: usize) -> Vec<Part> {
        let of = *self.random.pick(&["uint", "bool"]);
        let place = self.place(of);
        let constants = if of == "uint" { ["%c2", "%u2", "%c3"] } else { ["%c0", "%true", "%c1"] };
        let constant = *self.random.pick(&constants);
        self.lines.push(format!("OpStore {} {constant}", place.pointer));
        let mut parts = vec![self.text(), Part::Block(self.block(depth - 1))];
        let value = self.instruction(&format!("OpLoad %{of} {}", place.pointer));
        let op = if of == "uint" { "IEqual" } else { "LogicalEqual" };
        let condition = self.instruction(&format!("Op{op} %bool {value} {constant}"));
        let [one, other, merge] = [self.id(), self.id(), self.id()];
        self.lines
            .push(format!("OpSelectionMerge {merge} None\nOpBranchConditional {condition} {one} {other}"));
        self.lines.push(format!("{one} = OpLabel"));
        parts.extend([self.text(), Part::Block(vec![self.mark()])]);
        parts.push(Part::Text(format!("OpBranch {merge}\n{other} = OpLabel")));
        parts.push(Part::Block(vec![self.mark()]));
        parts.push(Part::Text(format!("OpBranch {merge}\n{merge} = OpLabel")));
        parts
    }

    fn branch(&mut self, depth: usize) -> Vec<Part> {
        let condition = self.truth(2);
        let [one, other, merge] = [self.id(), self.id(), self.id()];
        self.lines
            .push(format!("OpSelectionMerge {merge} None\nOpBranchConditional {condition} {one} {other}"));
        self.lines.push(format!("{one} = OpLabel"));
        let mut parts = vec![self.text(), Part::Block(self.marked(depth - 1))];
        parts.push(Part::Text(format!("OpBranch {merge}\n{other} = OpLabel")));
        if self.random.chance(50) {
            parts.push(Part::Block(self.marked(depth - 1)));
        }
        parts.push(Part::Text(format!("OpBranch {merge}\n{merge} = OpLabel")));
        parts
    }

    fn switch(&mut self, depth: usize) -> Vec<Part> {
        let selector = self.number(1);
        let [one, other, default, merge] = [self.id(), self.id(), self.id(), self.id()];
        self.lines.push(format!(
            "OpSelectionMerge {merge} None\nOpSwitch {selector} {default} 0 {one} 3 {one} 1 {other}"
        ));
        self.lines.push(format!("{one} = OpLabel"));
        let next = if self.random.chance(30) { &other } else { &merge };
        let next = format!("OpBranch {next}\n{other} = OpLabel");
        let mut parts = vec![self.text(), Part::Block(self.marked(depth - 1)), Part::Text(next)];
        parts.push(Part::Block(self.marked(depth - 1)));
        parts.push(Part::Text(format!("OpBranch {merge}\n{default} = OpLabel")));
        parts.push(Part::Block(self.block(0)));
        parts.push(Part::Text(format!("OpBranch {merge}\n{merge} = OpLabel")));
        parts
    }

    fn repeat(&mut self, depth: usize) -> Vec<Part> {
        let value = self.number(1);
        let bound = self.instruction(&format!("OpBitwiseAnd %uint {value} %u3"));
        let [before, head, test, body, end, merge] = std::array::from_fn(|_| self.id());
        let [counter, next, holds] = std::array::from_fn(|_| self.id());
        self.lines.push(format!("OpBranch {before}\n{before} = OpLabel\nOpBranch {head}\n{head} = OpLabel"));
        self.lines.push(format!("{counter} = OpPhi %uint %u0 {before} {next} {end}"));
        self.lines.push(format!("OpLoopMerge {merge} {end} None\nOpBranch {test}\n{test} = OpLabel"));
        self.lines.push(format!("{holds} = OpULessThan %bool {counter} {bound}"));
        self.lines.push(format!("OpBranchConditional {holds} {body} {merge}\n{body} = OpLabel"));
        let start = self.text();
        let outside = self.merge.replace(merge.clone());
        let inner = self.marked(depth - 1);
        self.merge = outside;
        let after = format!(
            "OpBranch {end}\n{end} = OpLabel\n{next} = OpIAdd %uint {counter} %u1\nOpBranch {head}\n{merge} = OpLabel"
        );
        vec![start, Part::Block(inner), Part::Text(after)]
    }
}
