//! Operations on composite constants, against a second evaluation of random expressions.

use std::fmt::Write as _;

use spirv::Op;

use super::random::Random;
use super::support::{KnownDevice, SpecializeCase, knows};
use crate::loader::{Module, views};
use crate::transform::specialize::UnsetPolicy;

const TYPES: &str = "%bool = OpTypeBool
%int = OpTypeInt 32 1
%long = OpTypeInt 64 0
%byte = OpTypeInt 8 0
%v2 = OpTypeVector %int 2
%v3 = OpTypeVector %int 3
%v4 = OpTypeVector %int 4
%v2bool = OpTypeVector %bool 2
%v2long = OpTypeVector %long 2
%three = OpConstant %int 3
%array = OpTypeArray %v2 %three
%inner = OpTypeStruct %byte %array
%struct = OpTypeStruct %int %inner %v3 %v2bool
";

/// Returns the types of the parts of a composite type; `None` for a scalar.
fn parts_of(type_: &str) -> Option<Vec<&'static str>> {
    match type_ {
        "v2" => Some(vec!["int"; 2]),
        "v3" => Some(vec!["int"; 3]),
        "v4" => Some(vec!["int"; 4]),
        "v2bool" => Some(vec!["bool"; 2]),
        "v2long" => Some(vec!["long"; 2]),
        "array" => Some(vec!["v2"; 3]),
        "inner" => Some(vec!["byte", "array"]),
        "struct" => Some(vec!["int", "inner", "v3", "v2bool"]),
        _ => None,
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Scalar(u64),
    Parts(Vec<Value>),
}

impl Value {
    fn zero(type_: &str) -> Value {
        match parts_of(type_) {
            Some(parts) => Value::Parts(parts.into_iter().map(Value::zero).collect()),
            None => Value::Scalar(0),
        }
    }

    fn scalar(&self) -> u64 {
        let Value::Scalar(value) = self else { panic!("{self:?}") };
        *value
    }

    fn part(&mut self, index: usize) -> &mut Value {
        let Value::Parts(parts) = self else { panic!("{self:?}") };
        &mut parts[index]
    }

    /// Returns the value of a constant of a module without operations.
    fn read(module: &Module, id: u32) -> Option<Value> {
        let inst = module.definition(id)?;
        let value = views::Value(inst);
        let part = |&id: &u32| Value::read(module, id);
        match inst.op()? {
            Op::ConstantTrue => Some(Value::Scalar(1)),
            Op::ConstantFalse => Some(Value::Scalar(0)),
            Op::Constant => {
                let words = value.operands();
                let width = views::TypeInt::new(module.definition(value.type_id())?)?.width();
                let bits = u64::from(words[0]) | u64::from(words.get(1).copied().unwrap_or(0)) << 32;
                Some(Value::Scalar(bits & u64::MAX >> (64 - width)))
            }
            Op::ConstantComposite => {
                value.operands().iter().map(part).collect::<Option<_>>().map(Value::Parts)
            }
            Op::ConstantCompositeReplicateEXT => {
                Some(Value::Parts(vec![Value::read(module, value.operand(0))?; 3]))
            }
            Op::ConstantNull => Some(Value::zero(type_name(module, value.type_id()))),
            _ => None,
        }
    }
}

/// Returns the name of a type by its number: they are the first ids.
fn type_name(module: &Module, id: u32) -> &'static str {
    let types = module.globals().filter_map(|inst| inst.result_id());
    let at = types.into_iter().position(|type_| type_ == id).unwrap();
    let name = TYPES.lines().nth(at - 2).unwrap().split(' ').next().unwrap();
    &name[1..]
}

/// A module of random constants, with the value that each has.
struct Generator {
    random: Random,
    constants: String,
    decorations: String,
    values: Vec<(String, &'static str, Value)>,
    set: Vec<(u32, u64)>,
}

impl Generator {
    fn add(&mut self, type_: &'static str, definition: &str, value: Value) {
        let name = format!("x{}", self.values.len());
        writeln!(self.constants, "%{name} = {definition}").unwrap();
        self.values.push((name, type_, value));
    }

    /// Returns a constant of a type that exists already.
    fn pick(&mut self, type_: &str) -> (String, Value) {
        let all: Vec<_> = self.values.iter().filter(|(_, of_value, _)| *of_value == type_).collect();
        let (name, _, value) = all[self.random.below(all.len())];
        (name.clone(), value.clone())
    }

    fn leaf(&mut self, type_: &'static str, is_bool: bool) {
        let value = if is_bool { self.random.below(2) as u64 } else { self.random.below(100) as u64 };
        let op = match (is_bool, self.random.below(2)) {
            (true, 0) => "OpSpecConstantTrue %bool".to_owned(),
            (true, _) => "OpSpecConstantFalse %bool".to_owned(),
            (false, _) => format!("OpSpecConstant %{type_} {}", self.random.below(9)),
        };
        let spec_id = self.set.len() as u32;
        writeln!(self.decorations, "OpDecorate %x{} SpecId {spec_id}", self.values.len()).unwrap();
        self.set.push((spec_id, value));
        self.add(type_, &op, Value::Scalar(value));
    }

    fn composite(&mut self, type_: &'static str) {
        let Some(parts) = parts_of(type_) else { return };
        if self.random.below(5) == 0 {
            return self.add(type_, &format!("OpConstantNull %{type_}"), Value::zero(type_));
        }
        if type_ == "v3" && self.random.below(3) == 0 {
            let (name, value) = self.pick("int");
            let definition = format!("OpSpecConstantCompositeReplicateEXT %v3 %{name}");
            return self.add(type_, &definition, Value::Parts(vec![value; 3]));
        }
        let (names, values): (Vec<_>, Vec<_>) = parts.into_iter().map(|part| self.pick(part)).unzip();
        let definition = format!("OpSpecConstantComposite %{type_} %{}", names.join(" %"));
        self.add(type_, &definition, Value::Parts(values));
    }

    /// Returns the indexes of a random part of a type, and its type.
    fn path(&mut self, mut type_: &'static str) -> (Vec<usize>, &'static str) {
        let mut path = Vec::new();
        while let Some(parts) = parts_of(type_) {
            if !path.is_empty() && self.random.below(3) == 0 {
                break;
            }
            path.push(self.random.below(parts.len()));
            type_ = parts[path[path.len() - 1]];
        }
        (path, type_)
    }

    fn operation(&mut self) {
        const COMPOSITES: [&str; 8] = ["v2", "v3", "v4", "v2bool", "v2long", "array", "inner", "struct"];
        let type_ = COMPOSITES[self.random.below(COMPOSITES.len())];
        let spelled = |path: &[usize]| path.iter().map(|at| format!(" {at}")).collect::<String>();
        match self.random.below(8) {
            0 => {
                let (condition, [first, second]) = (self.pick("bool"), [self.pick(type_), self.pick(type_)]);
                let definition =
                    format!("OpSpecConstantOp %{type_} Select %{} %{} %{}", condition.0, first.0, second.0);
                self.add(type_, &definition, if condition.1.scalar() == 1 { first.1 } else { second.1 });
            }
            1 => {
                let ((name, mut value), (path, part)) = (self.pick(type_), self.path(type_));
                let definition =
                    format!("OpSpecConstantOp %{part} CompositeExtract %{name}{}", spelled(&path));
                let value = path.iter().fold(&mut value, |value, &at| value.part(at)).clone();
                self.add(part, &definition, value);
            }
            2 | 3 => {
                let ((name, mut value), (path, part)) = (self.pick(type_), self.path(type_));
                let object = self.pick(part);
                let definition = format!(
                    "OpSpecConstantOp %{type_} CompositeInsert %{} %{name}{}",
                    object.0,
                    spelled(&path)
                );
                *path.iter().fold(&mut value, |value, &at| value.part(at)) = object.1;
                self.add(type_, &definition, value);
            }
            4 => {
                let (mut first, mut second) = (self.pick("v2"), self.pick("v3"));
                let chosen: Vec<usize> = (0..4).map(|_| self.random.below(5)).collect();
                let definition = format!(
                    "OpSpecConstantOp %v4 VectorShuffle %{} %{}{}",
                    first.0,
                    second.0,
                    spelled(&chosen)
                );
                let mut part =
                    |at: usize| if at < 2 { first.1.part(at).clone() } else { second.1.part(at - 2).clone() };
                let value = Value::Parts(chosen.into_iter().map(&mut part).collect());
                self.add("v4", &definition, value);
            }
            5 => {
                let (mut first, mut second) = (self.pick("v3"), self.pick("v3"));
                let (op, compute): (_, fn(u32, u32) -> u32) = [
                    ("IAdd", u32::wrapping_add as fn(u32, u32) -> u32),
                    ("IMul", u32::wrapping_mul),
                    ("BitwiseXor", |a, b| a ^ b),
                ][self.random.below(3)];
                let definition = format!("OpSpecConstantOp %v3 {op} %{} %{}", first.0, second.0);
                let mut part = |at: usize| {
                    let [first, second] =
                        [&mut first, &mut second].map(|operand| operand.1.part(at).scalar() as u32);
                    Value::Scalar(compute(first, second).into())
                };
                let value = Value::Parts((0..3).map(&mut part).collect());
                self.add("v3", &definition, value);
            }
            6 => {
                let (mut condition, mut first, mut second) =
                    (self.pick("v2bool"), self.pick("v2"), self.pick("v2"));
                let definition =
                    format!("OpSpecConstantOp %v2 Select %{} %{} %{}", condition.0, first.0, second.0);
                let mut part = |at: usize| match condition.1.part(at).scalar() {
                    1 => first.1.part(at).clone(),
                    _ => second.1.part(at).clone(),
                };
                let value = Value::Parts((0..2).map(&mut part).collect());
                self.add("v2", &definition, value);
            }
            _ => {
                let (mut first, mut second) = (self.pick("v2"), self.pick("v2"));
                let definition = format!("OpSpecConstantOp %v2bool SLessThan %{} %{}", first.0, second.0);
                let mut part = |at: usize| {
                    let [first, second] =
                        [&mut first, &mut second].map(|operand| operand.1.part(at).scalar() as i32);
                    Value::Scalar((first < second).into())
                };
                let value = Value::Parts((0..2).map(&mut part).collect());
                self.add("v2bool", &definition, value);
            }
        }
    }

    /// Returns the module: each constant is the result of a function.
    fn text(&self) -> String {
        let mut functions = String::new();
        let mut types = String::new();
        for type_ in TYPES.lines().filter(|line| line.contains("OpType")) {
            let name = &type_[1..type_.find(' ').unwrap()];
            writeln!(types, "%fn_{name} = OpTypeFunction %{name}").unwrap();
        }
        for (name, type_, _) in &self.values {
            writeln!(
                functions,
                "%f{name} = OpFunction %{type_} None %fn_{type_}\n%l{name} = OpLabel\nOpReturnValue %{name}\nOpFunctionEnd"
            )
            .unwrap();
        }
        format!(
            "OpCapability Shader\nOpCapability Linkage\nOpCapability Int64\nOpCapability Int8\n\
             OpCapability ReplicatedCompositesEXT\nOpExtension \"SPV_EXT_replicated_composites\"\n\
             OpMemoryModel Logical GLSL450\n{}%void = OpTypeVoid\n%unused = OpTypeFunction %void\n{TYPES}{types}{}{functions}",
            self.decorations, self.constants
        )
    }
}

#[test]
fn random_expressions_of_composites_become_constants() {
    let mut computed = 0;
    for seed in 1..=60 {
        let random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let (constants, decorations, values, set) = (String::new(), String::new(), Vec::new(), Vec::new());
        let mut generator = Generator { random, constants, decorations, values, set };
        for (type_, is_bool) in [("bool", true), ("int", false), ("long", false), ("byte", false)].repeat(2) {
            generator.leaf(type_, is_bool);
        }
        for type_ in ["v2", "v3", "v4", "v2bool", "v2long", "array", "inner", "struct"].repeat(2) {
            generator.composite(type_);
        }
        (0..30).for_each(|_| generator.operation());
        let case = SpecializeCase::new(&generator.text());
        let outcome = case.with(&KnownDevice::default(), &generator.set, UnsetPolicy::Keep).unwrap();
        outcome.valid("spv1.6");
        let module = Module::from_words(&outcome.words).unwrap();
        for (name, _, expected) in &generator.values {
            let value = Value::read(&module, case.id(name));
            assert_eq!(value.as_ref(), Some(expected), "seed {seed}, {name} of\n{}", generator.constants);
            computed += 1;
        }
    }
    assert!(computed > 3000, "{computed}");
}

/// Returns a module with these constants, of which `%last` is the result of a function.
fn returning(decorations: &str, constants: &str, type_: &str) -> String {
    format!(
        "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n{decorations}%bool = OpTypeBool\n\
         %int = OpTypeInt 32 1\n%v2 = OpTypeVector %int 2\n%pair = OpTypeStruct %int %int\n{constants}\
         %fn = OpTypeFunction %{type_}\n%f = OpFunction %{type_} None %fn\n%l = OpLabel\nOpReturnValue %last\nOpFunctionEnd\n"
    )
}

#[test]
fn chains_of_choices_are_followed_in_linear_time() {
    let mut constants =
        "%c = OpSpecConstantTrue %bool\n%n = OpSpecConstant %int 1\n%x0 = OpSpecConstantComposite %pair %n %n\n"
            .to_owned();
    for at in 1..40_000 {
        writeln!(constants, "%x{at} = OpSpecConstantOp %pair Select %c %x{} %x0", at - 1).unwrap();
    }
    writeln!(constants, "%last = OpSpecConstantOp %pair Select %c %x39999 %x0").unwrap();
    let text = returning("OpDecorate %c SpecId 0\nOpDecorate %n SpecId 1\n", &constants, "pair");
    let case = SpecializeCase::new(&text);
    let outcome = case.with(&KnownDevice::default(), &[(0, 1), (1, 7)], UnsetPolicy::Keep).unwrap();
    let module = Module::from_words(&outcome.words).unwrap();
    let expected = Value::Parts(vec![Value::Scalar(7), Value::Scalar(7)]);
    assert_eq!(Value::read(&module, case.id("last")), Some(expected));
}

/// Checks that operations with composites of huge size are kept.
#[test]
fn inserts_into_huge_arrays_stay() {
    let mut constants =
        "%n = OpSpecConstant %int 1\n%size = OpConstant %int 60000\n%array = OpTypeArray %int %size\n\
                         %x0 = OpConstantNull %array\n"
            .to_owned();
    for at in 1..200 {
        writeln!(constants, "%x{at} = OpSpecConstantOp %array CompositeInsert %n %x{} {at}", at - 1).unwrap();
    }
    writeln!(constants, "%last = OpSpecConstantOp %int CompositeExtract %x199 3").unwrap();
    let case = SpecializeCase::new(&returning("OpDecorate %n SpecId 0\n", &constants, "int"));
    let outcome = case.with(&KnownDevice::default(), &[(0, 7)], UnsetPolicy::Keep).unwrap();
    outcome.valid("spv1.6");
    assert!(outcome.words.len() < 200_000, "{}", outcome.words.len());
}

/// A constant that no host can set is frozen with all others.
#[test]
fn constants_without_a_spec_id_are_frozen() {
    let constants = "%c = OpConstantTrue %bool\n%n = OpSpecConstant %int 3\n%m = OpSpecConstant %int 4\n\
                     %one = OpSpecConstantComposite %v2 %n %m\n%last = OpSpecConstantOp %v2 IAdd %one %one\n";
    let case = SpecializeCase::new(&returning("", constants, "v2"));
    let outcome = case.with(&KnownDevice::default(), &[], UnsetPolicy::Default).unwrap();
    outcome.valid("spv1.6");
    let module = Module::from_words(&outcome.words).unwrap();
    let expected = Value::Parts(vec![Value::Scalar(6), Value::Scalar(8)]);
    assert_eq!(Value::read(&module, case.id("last")), Some(expected));
    let kept = case.with(&KnownDevice::default(), &[], UnsetPolicy::Keep).unwrap();
    assert_eq!(kept.words, case.words, "nothing is decided");
}

/// Checks OpConstantComposite of specialization constants, which DXC wrote before June 2023. It is invalid, but drivers
/// accept it.
#[test]
fn branches_on_ordinary_composites_of_specialization_constants_are_decided() {
    let text = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %on SpecId 1
OpDecorate %other SpecId 2
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%bool2 = OpTypeVector %bool 2
%struct = OpTypeStruct %bool2
%on = OpSpecConstantFalse %bool
%other = OpSpecConstantFalse %bool
%both = OpConstantComposite %bool2 %other %on
%nested = OpConstantComposite %struct %both
%main = OpFunction %void None %fn
%start = OpLabel
%is_on = OpCompositeExtract %bool %nested 0 1
OpSelectionMerge %merge None
OpBranchConditional %is_on %then %merge
%then = OpLabel
OpBranch %merge
%merge = OpLabel
OpReturn
OpFunctionEnd";
    let case = SpecializeCase::new(text);
    let of_one = case.on(&knows(&[(1, 0)]));
    assert_eq!(of_one.all("OpBranchConditional").len(), 0);
    // The other constant stays the host's, and so does the composite.
    assert_eq!(of_one.all("OpSpecConstantFalse").len(), 1);
    let of_both = case.on(&knows(&[(1, 0), (2, 0)]));
    of_both.valid("spv1.6");
}
