//! The canonical form of a module: two modules are the same up to ids and the order of definitions if these are equal.
//!
//! Each definition has a colour: a number that depends on its words, names and decorations. After several rounds it also depends on the colours of
//! its references. Nothing here knows how modules are merged.

use spirv_if::module::Version;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use crate::common::{bytes_of, run, tool};

/// Colours distinguish definitions that differ within this number of references.
const ROUNDS: usize = 12;

/// The storage classes of variables that hosts and other stages refer to.
const PLACED: [&str; 6] = ["Input", "Output", "PushConstant", "StorageBuffer", "UniformConstant", "Uniform"];

/// The first version in which interface lists have all variables.
const ALL_VARIABLES: Version = Version::new(1, 4);

/// A text, and a number for it, which is hashed instead.
#[derive(Clone)]
struct HashedText(String, u64);

impl HashedText {
    fn new(text: String) -> HashedText {
        let number = text.bytes().fold(text.len() as u64, |hash, byte| add(hash, byte.into()));
        HashedText(text, number)
    }

    fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for HashedText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Adds a number to a hash, in a few steps even without optimization.
fn add(hash: u64, number: u64) -> u64 {
    let all = (hash.rotate_left(23) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    all ^ all >> 32
}

/// An instruction, as spirv-dis shows it.
#[derive(Clone, Debug)]
struct Instruction {
    opcode: HashedText,
    /// The number of the result id, if there is one.
    result: Option<u32>,
    /// The result type and operands, in order.
    operands: Vec<Operand>,
}

#[derive(Clone, Debug)]
enum Operand {
    Id(u32),
    Other(HashedText),
}

impl Operand {
    fn id(&self) -> Option<u32> {
        if let Operand::Id(id) = self { Some(*id) } else { None }
    }

    /// The text; none of an id.
    fn as_str(&self) -> &str {
        if let Operand::Other(text) = self { text.as_str() } else { "" }
    }
}

impl Instruction {
    /// Reads a line.
    fn parse(line: &str) -> Instruction {
        let mut words = words(line).into_iter().peekable();
        let id = |word: &str| word.strip_prefix('%').and_then(|number| number.parse().ok());
        let result = words.peek().and_then(|first| id(first));
        if result.is_some() {
            words.nth(1);
        }
        let opcode = words.next().unwrap_or_default();
        let operand =
            |word: String| id(&word).map_or_else(|| Operand::Other(HashedText::new(word)), Operand::Id);
        Instruction { opcode: HashedText::new(opcode), result, operands: words.map(operand).collect() }
    }

    /// The id among the operands with this number.
    fn id(&self, at: usize) -> Option<u32> {
        self.operands.get(at).and_then(Operand::id)
    }

    fn ids(&self) -> impl Iterator<Item = u32> {
        self.operands.iter().filter_map(Operand::id)
    }
}

/// The words of a line; a string is one word.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut escaped) = (Vec::new(), String::new(), false, false);
    for character in line.chars() {
        if character == ' ' && !quoted {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
            continue;
        }
        quoted ^= character == '"' && !escaped;
        escaped = character == '\\' && !escaped;
        word.push(character);
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// A module, by what each part of it is.
pub struct Canonical {
    /// The version, the memory model, capabilities, extensions, strings, sources and remarks, and entry points with their execution modes.
    pub head: Vec<String>,
    /// Functions, by colour.
    pub functions: BTreeMap<String, usize>,
    /// Definitions that functions and entry points refer to, by colour, and the others.
    pub used: BTreeMap<String, usize>,
    pub unused: BTreeMap<String, usize>,
}

/// The canonical form of a module.
pub fn canonical(words: &[u32]) -> Canonical {
    let disassembler = tool("SPIRV_DIS", "spirv-dis");
    let text = run(&disassembler, &["--raw-id", "--no-indent", "--no-color"], &bytes_of(words)).unwrap();
    let text = String::from_utf8(text).unwrap();
    let lines = joined(&text);
    let all: Vec<Instruction> =
        lines.iter().filter(|line| !line.starts_with(';')).map(|line| Instruction::parse(line)).collect();
    Reader::new(Version::from_word(words[1]), words[3] as usize, &settled(without_products(all))).read()
}

/// The instructions, where a product of a constant of the host and zero is zero, and a choice between constants by a constant is the chosen one:
/// specializing may fold them.
fn without_products(mut all: Vec<Instruction>) -> Vec<Instruction> {
    let mut zeros: HashSet<u32> = HashSet::new();
    let mut constants: HashMap<u32, Vec<Operand>> = HashMap::new();
    // The operand that a true or false constant chooses.
    let mut chosen: HashMap<u32, usize> = HashMap::new();
    for inst in &mut all {
        let words: Vec<&str> = inst.operands.iter().map(Operand::as_str).collect();
        let is_zero = |at: usize| inst.id(at).is_some_and(|id| zeros.contains(&id));
        match (inst.opcode.as_str(), &words[..]) {
            ("OpConstantTrue", _) => chosen.extend(inst.result.map(|id| (id, 3))),
            ("OpConstantFalse", _) => chosen.extend(inst.result.map(|id| (id, 4))),
            ("OpSpecConstantOp", [_, "Select", ..]) => {
                let operand = inst.id(2).and_then(|id| chosen.get(&id)).and_then(|&at| inst.id(at));
                if let Some(operands) = operand.and_then(|id| constants.get(&id)) {
                    inst.opcode = HashedText::new("OpConstant".to_owned());
                    inst.operands.clone_from(operands);
                }
            }
            ("OpSpecConstantOp", [_, "IMul", ..]) if is_zero(2) || is_zero(3) => {
                let zero = Operand::Other(HashedText::new("0".to_owned()));
                inst.opcode = HashedText::new("OpConstant".to_owned());
                inst.operands.splice(1.., [zero]);
            }
            _ => {}
        }
        if inst.opcode.as_str() == "OpConstant" {
            zeros.extend(inst.result.filter(|_| inst.operands[1].as_str() == "0"));
            constants.extend(inst.result.map(|id| (id, inst.operands.clone())));
        }
    }
    all
}

/// The instructions, where what is true or false whatever the host sets, such as `x || true`, is the constant that it is: specializing may fold
/// it.
fn settled(mut all: Vec<Instruction>) -> Vec<Instruction> {
    let mut first: [Option<u32>; 2] = [None; 2];
    let mut known: HashMap<u32, bool> = HashMap::new();
    all.retain(|inst| {
        let Some(result) = inst.result else { return true };
        let operands: Vec<Option<bool>> =
            (2..4).map(|at| inst.id(at).and_then(|id| known.get(&id).copied())).collect();
        let operation = match inst.operands.get(1) {
            Some(Operand::Other(operation)) if inst.opcode.as_str() == "OpSpecConstantOp" => {
                operation.as_str()
            }
            _ => inst.opcode.as_str(),
        };
        let value = match (operation, &operands[..]) {
            ("OpConstantTrue", _) => true,
            ("OpConstantFalse", _) => false,
            ("LogicalNot", [Some(operand), _]) => !operand,
            ("LogicalOr", [Some(true), _] | [_, Some(true)]) => true,
            ("LogicalAnd", [Some(false), _] | [_, Some(false)]) => false,
            ("LogicalOr", [Some(false), Some(false)]) => false,
            ("LogicalAnd", [Some(true), Some(true)]) => true,
            _ => return true,
        };
        known.insert(result, value);
        // The first stays, if it is a constant.
        let first_of_value = &mut first[usize::from(value)];
        let is_first = first_of_value.is_none() && inst.opcode.as_str().starts_with("OpConstant");
        if is_first {
            *first_of_value = Some(result);
        }
        is_first || (first_of_value.is_none() && inst.opcode.as_str() == "OpSpecConstantOp")
    });
    for operand in all.iter_mut().flat_map(|inst| &mut inst.operands) {
        if let Operand::Id(id) = operand
            && let Some(&value) = known.get(id)
        {
            *id = first[usize::from(value)].unwrap_or(*id);
        }
    }
    // Names and decorations of removed ids are ignored.
    let mut seen = HashSet::new();
    all.retain(|inst| {
        let is_of_first = inst.id(0).is_some_and(|id| first.contains(&Some(id)));
        !(inst.result.is_none() && is_of_first) || seen.insert(format!("{inst:?}"))
    });
    all
}

/// The lines of a text, where a line break in a string is none.
fn joined(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let quotes = line.replace("\\\\", "").replace("\\\"", "").matches('"').count();
        match lines.last_mut().filter(|_| is_open) {
            Some(last) => *last += &format!("\n{line}"),
            None => lines.push(line.to_owned()),
        }
        is_open ^= quotes % 2 == 1 && !line.starts_with(';');
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Describes the difference between a specialized module and the expected variant. All definitions of the variant must exist, and no other one may
/// be used.
pub fn difference(variant: &Canonical, specialized: &Canonical) -> Option<String> {
    if variant.head != specialized.head {
        let missing: Vec<_> = variant.head.iter().filter(|line| !specialized.head.contains(line)).collect();
        let added: Vec<_> = specialized.head.iter().filter(|line| !variant.head.contains(line)).collect();
        return Some(format!("missing {missing:#?}, added {added:#?}"));
    }
    let parts = [
        ("functions", &variant.functions, &specialized.functions),
        ("definitions", &variant.used, &specialized.used),
    ];
    for (what, variant, specialized) in parts {
        if variant != specialized {
            let differing = |one: &BTreeMap<String, usize>, other: &BTreeMap<String, usize>| -> Vec<String> {
                let differing = one.iter().filter(|&(key, count)| other.get(key) != Some(count));
                differing.take(8).map(|(key, count)| format!("{count} x {key}")).collect()
            };
            return Some(format!(
                "{what}: {:#?}\n--\n{:#?}",
                differing(variant, specialized),
                differing(specialized, variant)
            ));
        }
    }
    // Unused definitions are swept, except variables in a pipeline's layout.
    let lost = variant.unused.iter().find(|&(key, &count)| {
        PLACED.iter().any(|class| key.starts_with(&format!("OpVariable {class}")))
            && specialized.unused.get(key).copied().unwrap_or(0) < count
    });
    lost.map(|(key, _)| format!("unused, and lost: {key}"))
}

struct CanonicalFunction<'m> {
    id: u32,
    instructions: Vec<&'m Instruction>,
}

/// The place of a definition: the number of the function, or of the instruction outside of functions.
#[derive(Clone, Copy)]
enum Place {
    Function(usize),
    Outside(usize),
}

struct Reader<'m> {
    version: Version,
    outside: Vec<&'m Instruction>,
    functions: Vec<CanonicalFunction<'m>>,
    /// Place of each id.
    places: Vec<Option<Place>>,
    /// Function and number among its definitions, for each id that a function defines.
    locals: Vec<Option<(u32, u32)>>,
    /// Decorations and names of each target.
    annotations: HashMap<u32, Vec<Instruction>>,
    /// Colour of each id outside of functions.
    colours: Vec<u64>,
}

impl<'m> Reader<'m> {
    fn new(version: Version, bound: usize, all: &'m [Instruction]) -> Reader<'m> {
        let mut reader = Reader {
            version,
            outside: Vec::new(),
            functions: Vec::new(),
            places: vec![None; bound],
            locals: vec![None; bound],
            annotations: HashMap::new(),
            colours: vec![0; bound],
        };
        let mut open: Option<Vec<&Instruction>> = None;
        for inst in all {
            match (inst.opcode.as_str(), &mut open) {
                ("OpFunction", None) => open = Some(vec![inst]),
                ("OpFunctionEnd", Some(_)) => {
                    let instructions = open.take().unwrap();
                    let id = instructions[0].result.unwrap();
                    let results = instructions[1..].iter().filter_map(|inst| inst.result);
                    (0..)
                        .zip(results)
                        .for_each(|(number, result)| reader.locals[result as usize] = Some((id, number)));
                    reader.places[id as usize] = Some(Place::Function(reader.functions.len()));
                    reader.functions.push(CanonicalFunction { id, instructions });
                }
                (_, Some(instructions)) => instructions.push(inst),
                (_, None) => {
                    let place = Some(Place::Outside(reader.outside.len()));
                    inst.result.into_iter().for_each(|id| reader.places[id as usize] = place);
                    reader.outside.push(inst);
                }
            }
        }
        reader.annotate();
        reader
    }

    /// Collects names and decorations by target, groups expanded.
    fn annotate(&mut self) {
        let mut groups: HashMap<u32, Vec<Instruction>> = HashMap::new();
        for inst in &self.outside {
            if inst.opcode.as_str() == "OpDecorationGroup" {
                groups.insert(inst.result.unwrap(), Vec::new());
            }
        }
        for inst in &self.outside {
            let Some(target) = inst.id(0) else { continue };
            match inst.opcode.as_str() {
                "OpName"
                | "OpMemberName"
                | "OpDecorate"
                | "OpDecorateId"
                | "OpDecorateString"
                | "OpMemberDecorate"
                | "OpMemberDecorateString" => {
                    let group = groups.get_mut(&target);
                    let list = group.unwrap_or_else(|| self.annotations.entry(target).or_default());
                    list.push((*inst).clone());
                }
                "OpGroupDecorate" => {
                    for other in inst.operands[1..].iter().filter_map(Operand::id) {
                        self.annotations.entry(other).or_default().extend(groups[&target].clone());
                    }
                }
                "OpGroupMemberDecorate" => panic!("no fixture has one"),
                _ => {}
            }
        }
    }

    fn read(mut self) -> Canonical {
        for round in 0..ROUNDS {
            let mut next = vec![0; self.colours.len()];
            for inst in &self.outside {
                if let Some(id) = inst.result {
                    next[id as usize] = self.definition(inst, round > 0);
                }
            }
            for function in &self.functions {
                next[function.id as usize] = self.body(function);
            }
            self.colours = next;
        }
        let used = self.used();
        let mut canonical = Canonical {
            head: self.head(),
            functions: BTreeMap::new(),
            used: BTreeMap::new(),
            unused: BTreeMap::new(),
        };
        for function in &self.functions {
            *canonical.functions.entry(self.shown(function.id)).or_default() += 1;
        }
        for inst in &self.outside {
            // A group equals its targets.
            let Some(id) = inst.result.filter(|_| inst.opcode.as_str() != "OpDecorationGroup") else {
                continue;
            };
            let list = if used.contains(&id) { &mut canonical.used } else { &mut canonical.unused };
            let class = match (inst.opcode.as_str(), inst.operands.get(1)) {
                // One with a value is data.
                ("OpVariable", Some(Operand::Other(class))) if inst.operands.len() == 2 => class.as_str(),
                _ => "",
            };
            let key = format!("{} {class} {}", inst.opcode.as_str(), self.shown(id));
            *list.entry(key).or_default() += 1;
        }
        canonical
    }

    /// The colour of an id, as text.
    fn shown(&self, id: u32) -> String {
        format!("{:016x}", self.colours[id as usize])
    }

    /// An operand of an instruction of a function, or outside of all.
    fn operand(&self, operand: &Operand, function: u32) -> u64 {
        match operand {
            Operand::Other(text) => text.1,
            Operand::Id(id) => match self.locals[*id as usize] {
                Some((holder, number)) if holder == function => add(1, number.into()),
                _ => self.colours[*id as usize],
            },
        }
    }

    fn operands(&self, hash: u64, operands: &[Operand], function: u32) -> u64 {
        let start = add(hash, operands.len() as u64);
        operands.iter().fold(start, |hash, operand| add(hash, self.operand(operand, function)))
    }

    fn annotations(&self, id: u32, with_names: bool, function: u32) -> Vec<u64> {
        let annotations = self.annotations.get(&id).into_iter().flatten();
        let annotations = annotations
            .filter(|inst| with_names || !matches!(inst.opcode.as_str(), "OpName" | "OpMemberName"));
        let mut all: Vec<u64> =
            annotations.map(|inst| self.operands(inst.opcode.1, &inst.operands[1..], function)).collect();
        all.sort_unstable();
        all
    }

    /// A definition outside of functions; in the first round, without its references.
    fn definition(&self, inst: &Instruction, with_references: bool) -> u64 {
        let mut hash = inst.opcode.1;
        for operand in &inst.operands {
            let is_reference = operand.id().is_some();
            let part = if is_reference && !with_references { 2 } else { self.operand(operand, 0) };
            hash = add(hash, part);
        }
        // A module has only one of most types: it has the names of one variant.
        let opcode = inst.opcode.as_str();
        let is_once = opcode.starts_with("OpType")
            && !matches!(opcode, "OpTypeStruct" | "OpTypeArray" | "OpTypeRuntimeArray" | "OpTypePointer");
        all_of(hash, &self.annotations(inst.result.unwrap(), !is_once, 0))
    }

    fn body(&self, function: &CanonicalFunction) -> u64 {
        let mut hash = all_of(0, &self.modes(function.id));
        for inst in &function.instructions {
            let id = inst.result.unwrap_or(0);
            let number = self.locals.get(id as usize).copied().flatten().map_or(0, |(_, number)| number + 1);
            hash = self.operands(add(add(hash, inst.opcode.1), number.into()), &inst.operands, function.id);
            let mut annotations = self.annotations(id, true, function.id);
            annotations.dedup();
            hash = all_of(hash, &annotations);
        }
        hash
    }

    /// The execution modes of a function.
    fn modes(&self, function: u32) -> Vec<u64> {
        let is_own = |inst: &&&Instruction| {
            matches!(inst.opcode.as_str(), "OpExecutionMode" | "OpExecutionModeId")
                && inst.id(0) == Some(function)
        };
        let modes = self.outside.iter().filter(is_own);
        let mut all: Vec<u64> = modes.map(|inst| self.operands(0, &inst.operands[1..], 0)).collect();
        all.sort_unstable();
        all
    }

    fn head(&self) -> Vec<String> {
        let mut head: BTreeMap<String, usize> = BTreeMap::new();
        *head.entry(format!("version {:?}", self.version)).or_default() += 1;
        let shown = |operand: &Operand| match operand {
            Operand::Id(id) => self.shown(*id),
            Operand::Other(text) => format!("{text:?}"),
        };
        for inst in &self.outside {
            let line = match inst.opcode.as_str() {
                "OpCapability" | "OpExtension" | "OpMemoryModel" | "OpModuleProcessed"
                | "OpSourceExtension" | "OpString" => {
                    format!("{:?} {:?}", inst.opcode.as_str(), inst.operands)
                }
                "OpSource" => {
                    format!("source {:?}", inst.operands.iter().map(shown).collect::<Vec<_>>())
                }
                "OpEntryPoint" => {
                    let [model, function, name, interface @ ..] = &inst.operands[..] else { continue };
                    let function = function.id().unwrap();
                    let reached = self.reached([function]);
                    let listed: BTreeSet<String> = interface
                        .iter()
                        .filter_map(Operand::id)
                        .filter(|id| {
                            self.version < ALL_VARIABLES || self.is_passed(*id) || reached.contains(id)
                        })
                        .map(|id| self.shown(id))
                        .collect();
                    format!("entry point {model:?} {name:?} {} {listed:?}", self.shown(function))
                }
                opcode if opcode.contains("Conditional") => format!("conditional {opcode}"),
                _ => continue,
            };
            *head.entry(line).or_default() += 1;
        }
        // A repeated declaration adds nothing.
        head.into_keys().collect()
    }

    /// True for inputs and outputs.
    fn is_passed(&self, id: u32) -> bool {
        let Some(Place::Outside(at)) = self.places[id as usize] else { return false };
        let class = self.outside[at].operands.get(1);
        matches!(class, Some(Operand::Other(class)) if ["Input", "Output"].contains(&class.as_str()))
    }

    /// Returns all direct and indirect references of these ids.
    fn reached(&self, starts: impl IntoIterator<Item = u32>) -> HashSet<u32> {
        let mut open: Vec<u32> = starts.into_iter().collect();
        let mut reached: HashSet<u32> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            let instructions = match self.places[id as usize] {
                Some(Place::Function(at)) => &self.functions[at].instructions[..],
                Some(Place::Outside(at)) => &self.outside[at..=at],
                None => &[],
            };
            let annotations = self.annotations.get(&id).into_iter().flatten();
            for inst in instructions.iter().copied().chain(annotations) {
                open.extend(inst.ids().filter(|&id| reached.insert(id)));
            }
        }
        reached
    }

    /// Returns the references of functions, entry points and their modes.
    fn used(&self) -> HashSet<u32> {
        let modes = self.outside.iter().filter(|inst| inst.opcode.as_str() == "OpExecutionModeId");
        let of_modes = modes.flat_map(|inst| inst.ids());
        self.reached(self.functions.iter().map(|function| function.id).chain(of_modes))
    }
}

/// A hash with a list of numbers in it.
fn all_of(hash: u64, numbers: &[u64]) -> u64 {
    numbers.iter().fold(add(hash, numbers.len() as u64), |hash, &number| add(hash, number))
}
