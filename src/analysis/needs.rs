//! Which of the capabilities that may become conditional an instruction needs.

use std::collections::HashMap;

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use spirv::{Capability, Op};

use super::rules::{self, Rule, Scalar};
use crate::loader::{Instruction, Module, Visitor, grammar};

/// A set of [`Needs::tracked`] capabilities, one bit each.
pub type CapabilitySet = u64;

/// What each instruction of one module needs of the capabilities that the module declares (or implies) and for which the
/// rules are complete.
pub struct Needs {
    /// The capabilities that are followed.
    pub tracked: Vec<Capability>,
    by_opcode: Vec<CapabilitySet>,
    by_enumerant: HashMap<(OperandKind, u32), CapabilitySet>,
    /// Whether more than the opcode decides what an instruction needs.
    needs_a_look: Vec<bool>,
    by_type: Vec<(Scalar, CapabilitySet)>,
    by_function_pointer: CapabilitySet,
    by_element: Vec<(Op, Scalar, CapabilitySet)>,
}

impl Needs {
    /// Sets up the rules for a module.
    pub fn new(module: &Module) -> Needs {
        let declared = module.globals().filter(|inst| inst.is(Op::Capability));
        let all = closure(declared.filter_map(|inst| Capability::from_u32(inst.word(1))));
        let rules = rules::capabilities().iter().filter(|rule| all.contains(&rule.capability));
        // One bit each: the table is far shorter than 64 rows, and what were past the end would stay unconditional.
        let rules: Vec<&Rule> = rules.take(CapabilitySet::BITS as usize).collect();
        let mut needs = Needs {
            tracked: Vec::new(),
            by_opcode: Vec::new(),
            by_enumerant: HashMap::new(),
            needs_a_look: Vec::new(),
            by_type: Vec::new(),
            by_function_pointer: 0,
            by_element: Vec::new(),
        };
        for (bit, rule) in rules.iter().enumerate() {
            needs.tracked.push(rule.capability);
            needs.by_function_pointer |= CapabilitySet::from(rule.function_pointers) << bit;
            needs.by_type.extend(rule.types.iter().map(|&scalar| (scalar, 1 << bit)));
            if let Some((ops, element)) = &rule.instructions {
                needs.by_element.extend(ops.iter().map(|&op| (op, *element, 1 << bit)));
            }
        }
        needs.read_grammar(&rules);
        needs
    }

    fn read_grammar(&mut self, rules: &[&Rule]) {
        let set = |capabilities: &[Capability], in_grammar: fn(&Rule) -> bool| -> CapabilitySet {
            let listed = |rule: &Rule| in_grammar(rule) && capabilities.contains(&rule.capability);
            (0..).zip(rules).filter(|(_, rule)| listed(rule)).map(|(bit, _)| 1 << bit).sum()
        };
        let mut kinds: HashMap<OperandKind, bool> = HashMap::new();
        for inst in INSTRUCTION_TABLE.iter() {
            let opcode = inst.opcode as usize;
            if self.by_opcode.len() <= opcode {
                self.by_opcode.resize(opcode + 1, 0);
                self.needs_a_look.resize(opcode + 1, false);
            }
            self.by_opcode[opcode] = set(inst.capabilities, |rule| rule.instructions.is_none());
            let by_operands = self.by_element.iter().any(|(op, ..)| *op == inst.opcode);
            self.needs_a_look[opcode] =
                by_operands || matches!(inst.opcode, Op::TypeInt | Op::TypeFloat | Op::TypePointer);
            for operand in inst.operands {
                let found = kinds.entry(operand.kind).or_insert_with(|| {
                    let mut found = false;
                    for (kind, value, enumerant) in grammar::all_enumerants(operand.kind) {
                        let needed = set(&enumerant.required_capabilities(), |_| true);
                        if needed != 0 {
                            self.by_enumerant.insert((kind, value), needed);
                            found = true;
                        }
                    }
                    found
                });
                self.needs_a_look[opcode] |= *found;
            }
        }
    }

    /// What an instruction needs. Of several capabilities any of which would do, all that are followed.
    #[inline]
    pub fn of(&self, module: &Module, inst: &Instruction) -> CapabilitySet {
        let opcode = usize::from(inst.opcode());
        let Some(&by_opcode) = self.by_opcode.get(opcode) else { return 0 };
        if !self.needs_a_look[opcode] {
            return by_opcode;
        }
        let mut visitor = Enumerants { needs: self, needed: by_opcode };
        module.walk(inst, &mut visitor);
        let mut needed = visitor.needed;
        for (scalar, set) in &self.by_type {
            if scalar.is_declared_by(inst) {
                needed |= set;
            }
        }
        if inst.is(Op::TypePointer) && module.definition_as(inst.word(3), Op::TypeFunction).is_some() {
            needed |= self.by_function_pointer;
        }
        for (op, element, set) in &self.by_element {
            if inst.is(*op)
                && works_on(module, inst).is_some_and(|type_| element.is_element_of(module, type_))
            {
                needed |= set;
            }
        }
        needed
    }

    /// The capabilities of a set.
    pub fn in_set(&self, set: CapabilitySet) -> impl Iterator<Item = usize> {
        (0..self.tracked.len()).filter(move |bit| set & (1 << bit) != 0)
    }
}

/// The type of what an atomic instruction works on: that of its result, or of the value that it stores.
fn works_on(module: &Module, inst: &Instruction) -> Option<u32> {
    match inst.result_type() {
        Some(type_) => Some(type_),
        None => module.definition(inst.word(4))?.result_type(),
    }
}

/// Capabilities with all that they imply (specification, 3.31 "Capability").
pub fn closure(capabilities: impl Iterator<Item = Capability>) -> Vec<Capability> {
    let mut all: Vec<Capability> = capabilities.collect();
    let mut at = 0;
    while let Some(&capability) = all.get(at) {
        for implied in rspirv::dr::Operand::Capability(capability).required_capabilities() {
            if !all.contains(&implied) {
                all.push(implied);
            }
        }
        at += 1;
    }
    all
}

struct Enumerants<'n> {
    needs: &'n Needs,
    needed: CapabilitySet,
}

impl Visitor for Enumerants<'_> {
    const ENUMERANTS: bool = true;
    fn id(&mut self, _at: usize, _id: u32) {}
    fn enumerant(&mut self, kind: OperandKind, value: u32) {
        self.needed |= self.needs.by_enumerant.get(&(kind, value)).copied().unwrap_or(0);
    }
}
