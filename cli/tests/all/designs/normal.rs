//! The normal form of an entry point: two modules do the same, instruction by instruction, if these are equal.
//!
//! Ids are replaced by their meanings. Three differences between designs do not change the behaviour and are rewritten:
//!
//! - stub calls: a function that does nothing but call another, or nothing at all, is put in the place of its calls;
//! - copies: a function is what it does, so that copies of one are the same, whatever their names, and one that only calls a copy of itself;
//! - order: definitions stand where they are used.
//!
//! Names, exports and debug information are not code. Nothing here knows how modules are transformed.

use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};

use rspirv::dr::{Function, Instruction, Module, Operand, load_words};
use rspirv::spirv::{Decoration, LinkageType, Op, Word};

/// The entry points of a module, each in normal form, by name and execution model. `None` if rspirv cannot load the module.
pub fn entry_points(words: &[u32]) -> Option<BTreeMap<String, String>> {
    let module = load_words(words).ok()?;
    let normal = Normal::new(&module);
    let forms = module.entry_points.iter().map(|entry| normal.entry_point(entry));
    Some(forms.collect())
}

struct Normal<'m> {
    module: &'m Module,
    globals: HashMap<Word, &'m Instruction>,
    functions: HashMap<Word, &'m Function>,
    decorations: HashMap<Word, BTreeSet<String>>,
    /// Names of imports.
    imports: HashMap<Word, &'m str>,
    known: RefCell<HashMap<Word, String>>,
    within: RefCell<HashSet<Word>>,
}

/// The effect of a function whose calls are replaced.
struct Stub<'m> {
    instructions: Vec<&'m Instruction>,
    parameters: Vec<Word>,
    result: Option<Word>,
}

impl<'m> Normal<'m> {
    fn new(module: &'m Module) -> Normal<'m> {
        let by_id = |inst: &'m Instruction| Some((inst.result_id?, inst));
        let globals = module.types_global_values.iter().chain(&module.ext_inst_imports);
        let functions = module
            .functions
            .iter()
            .filter_map(|function| Some((function.def.as_ref()?.result_id?, function)));
        let mut normal = Normal {
            module,
            globals: globals.filter_map(by_id).collect(),
            functions: functions.collect(),
            decorations: HashMap::new(),
            imports: HashMap::new(),
            known: RefCell::default(),
            within: RefCell::default(),
        };
        for inst in &module.annotations {
            let Some(Operand::IdRef(target)) = inst.operands.first() else { continue };
            if let [
                _,
                Operand::Decoration(Decoration::LinkageAttributes),
                Operand::LiteralString(name),
                kind,
            ] = &inst.operands[..]
            {
                if *kind == Operand::LinkageType(LinkageType::Import) {
                    normal.imports.insert(*target, name);
                }
                continue;
            }
            let text = format!("{:?} {:?}", inst.class.opcode, &inst.operands[1..]);
            normal.decorations.entry(*target).or_default().insert(text);
        }
        normal
    }

    fn entry_point(&self, entry: &Instruction) -> (String, String) {
        let [model, Operand::IdRef(function), Operand::LiteralString(name), interface @ ..] =
            &entry.operands[..]
        else {
            panic!("an entry point is {entry:?}")
        };
        let interface: BTreeSet<String> =
            interface.iter().filter_map(Operand::id_ref_any).map(|id| self.global(id)).collect();
        let modes = self.module.execution_modes.iter();
        let modes = modes.filter(|mode| mode.operands.first() == Some(&Operand::IdRef(*function)));
        let mode = |mode: &Instruction| -> String {
            let operands = mode.operands[1..].iter().map(|operand| self.operand(operand, &HashMap::new()));
            operands.collect::<Vec<_>>().join(" ")
        };
        let modes: BTreeSet<String> = modes.map(mode).collect();
        let text = format!("{interface:#?}\n{modes:#?}\n{}", self.function(*function));
        (format!("{model:?} {name}"), text)
    }

    /// Describes an id outside of functions: its opcode, and a number that depends on all parts of its definition.
    fn global(&self, id: Word) -> String {
        if let Some(known) = self.known.borrow().get(&id) {
            return known.clone();
        }
        if !self.within.borrow_mut().insert(id) {
            return "itself".to_owned();
        }
        let text = match (self.globals.get(&id), self.functions.contains_key(&id)) {
            (Some(inst), _) => {
                let kind = format!("{:?}", inst.class.opcode);
                let type_ = inst.result_type.map(|id| self.global(id));
                let operands = inst.operands.iter().map(|operand| self.operand(operand, &HashMap::new()));
                let operands: Vec<String> = operands.collect();
                let whole = format!("{type_:?} {operands:?} {:?}", self.decorations.get(&id));
                format!("{kind}#{:016x}", hash(&whole))
            }
            (None, true) => format!("Function#{:016x}", hash(&self.function(id))),
            (None, false) => "nothing".to_owned(),
        };
        self.within.borrow_mut().remove(&id);
        self.known.borrow_mut().insert(id, text.clone());
        text
    }

    fn operand(&self, operand: &Operand, local: &HashMap<Word, String>) -> String {
        match operand.id_ref_any() {
            Some(id) => local.get(&id).cloned().unwrap_or_else(|| self.global(id)),
            None => format!("{operand:?}"),
        }
    }

    /// The function in normal form: parameters, then a line for each instruction.
    fn function(&self, id: Word) -> String {
        let function = self.functions[&id];
        if let Some(copy) = self.calls_only(function) {
            return self.function(copy);
        }
        let mut lines = Lines { normal: self, names: HashMap::new(), lines: Vec::new() };
        let def = function.def.as_ref().unwrap();
        lines.lines.push(format!(
            "{:?} {:?}",
            &def.operands[..1],
            self.operand(&def.operands[1], &HashMap::new())
        ));
        for parameter in &function.parameters {
            lines.define(parameter);
            lines.add(parameter);
        }
        lines.lines.extend(self.imports.get(&id).map(|name| format!("import of {name}")));
        let (body, names) = self.body(function);
        // Names of results, in their order, before they are used: an OpPhi may name a later one.
        for inst in &body {
            match names.get(&inst.result_id.unwrap_or_default()) {
                Some(_) => {}
                None => lines.define(inst),
            }
        }
        for (stub, instead) in &names {
            let text = lines.names.get(instead).cloned().unwrap_or_else(|| self.global(*instead));
            lines.names.insert(*stub, text);
        }
        body.iter().for_each(|inst| lines.add(inst));
        lines.lines.join("\n")
    }

    /// The function that another passes its parameters to, and does nothing else.
    fn calls_only(&self, function: &Function) -> Option<Word> {
        let [block] = &function.blocks[..] else { return None };
        let code =
            block.instructions.iter().filter(|inst| !is_note(inst.class.opcode) && !self.is_debug(inst));
        let code: Vec<&Instruction> = code.collect();
        let [call, last] = code[..] else { return None };
        let arguments = call.operands.iter().filter_map(Operand::id_ref_any).skip(1);
        let parameters = function.parameters.iter().filter_map(|parameter| parameter.result_id);
        let returns = last.class.opcode == Op::Return
            || last.operands.first().and_then(Operand::id_ref_any) == call.result_id;
        (call.class.opcode == Op::FunctionCall && returns && arguments.eq(parameters))
            .then(|| call.operands[0].unwrap_id_ref())
    }

    /// Returns the instructions of a function with stubs in the place of their calls, and the replaced ids.
    fn body(&self, function: &'m Function) -> (Vec<Instruction>, BTreeMap<Word, Word>) {
        let mut body: Vec<Instruction> = Vec::new();
        let mut instead = BTreeMap::new();
        let mut fresh = self.module.header.as_ref().map_or(0, |header| header.bound);
        let blocks = function.blocks.iter().flat_map(|block| block.label.iter().chain(&block.instructions));
        for inst in blocks.filter(|inst| !is_note(inst.class.opcode) && !self.is_debug(inst)) {
            let stub = (inst.class.opcode == Op::FunctionCall).then(|| self.stub(inst)).flatten();
            let Some(stub) = stub else {
                body.push(inst.clone());
                continue;
            };
            let arguments: Vec<Word> = inst.operands[1..].iter().filter_map(Operand::id_ref_any).collect();
            let mut ids: HashMap<Word, Word> = stub.parameters.iter().copied().zip(arguments).collect();
            for inst_of_stub in stub.instructions {
                let mut inst_of_stub = inst_of_stub.clone();
                inst_of_stub.operands.iter_mut().filter_map(Operand::id_ref_any_mut).for_each(|id| {
                    *id = ids.get(id).copied().unwrap_or(*id);
                });
                if let Some(result) = inst_of_stub.result_id {
                    fresh += 1;
                    ids.insert(result, fresh);
                    inst_of_stub.result_id = Some(fresh);
                }
                body.push(inst_of_stub);
            }
            if let (Some(result), Some(id)) = (stub.result, inst.result_id) {
                instead.insert(id, ids.get(&result).copied().unwrap_or(result));
            }
        }
        (body, instead)
    }

    /// The function that a call calls, if it is a stub: one block, of casts, undefined values and at most one call.
    fn stub(&self, call: &Instruction) -> Option<Stub<'m>> {
        let callee = self.functions.get(&call.operands.first()?.id_ref_any()?)?;
        let [block] = &callee.blocks[..] else { return None };
        let (last, instructions) = block.instructions.split_last()?;
        let instructions: Vec<&Instruction> =
            instructions.iter().filter(|inst| !is_note(inst.class.opcode) && !self.is_debug(inst)).collect();
        let calls = instructions.iter().filter(|inst| inst.class.opcode == Op::FunctionCall).count();
        let plain =
            |inst: &&Instruction| matches!(inst.class.opcode, Op::FunctionCall | Op::Bitcast | Op::Undef);
        if calls > 1 || !instructions.iter().all(plain) {
            return None;
        }
        let result = match last.class.opcode {
            Op::Return => None,
            Op::ReturnValue => Some(last.operands[0].id_ref_any()?),
            _ => return None,
        };
        let parameters = callee.parameters.iter().filter_map(|parameter| parameter.result_id).collect();
        Some(Stub { instructions, parameters, result })
    }

    fn is_debug(&self, inst: &Instruction) -> bool {
        let Some(set) =
            inst.operands.first().and_then(Operand::id_ref_any).and_then(|id| self.globals.get(&id))
        else {
            return false;
        };
        let is_note = |name: &str| name.starts_with("NonSemantic.") || name.contains("DebugInfo");
        inst.class.opcode == Op::ExtInst
            && matches!(set.operands.first(), Some(Operand::LiteralString(name)) if is_note(name))
    }
}

/// The lines of a function.
struct Lines<'n, 'm> {
    normal: &'n Normal<'m>,
    /// Number in the function of each id.
    names: HashMap<Word, String>,
    lines: Vec<String>,
}

impl Lines<'_, '_> {
    fn define(&mut self, inst: &Instruction) {
        let number = self.names.len();
        self.names.extend(inst.result_id.map(|id| (id, format!("%{number}"))));
    }

    fn add(&mut self, inst: &Instruction) {
        let result = inst.result_id.map(|id| self.names[&id].clone()).unwrap_or_default();
        let type_ = inst.result_type.map(|id| self.normal.global(id)).unwrap_or_default();
        let operands = inst.operands.iter().map(|operand| self.normal.operand(operand, &self.names));
        let operands: Vec<String> = operands.collect();
        let decorations = inst.result_id.and_then(|id| self.normal.decorations.get(&id));
        let decorations = decorations.map(|all| format!("{all:?}")).unwrap_or_default();
        let opcode = inst.class.opcode;
        self.lines.push(format!("{result} {opcode:?} {type_} {} {decorations}", operands.join(" ")));
    }
}

fn is_note(op: Op) -> bool {
    matches!(op, Op::Line | Op::NoLine)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
