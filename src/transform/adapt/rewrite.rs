//! The changes to instructions.

use std::collections::{HashMap, HashSet};

use rspirv::grammar::OperandKind;
use spirv::{Decoration, ExecutionMode, FPFastMathMode, LinkageType, Op, Scope};

use super::local_size::LocalSizes;
use super::rotation::{Rotations, is_subgroup};
use super::table::{AdaptableConstruct, Adaptation, Substitute, TwinOperand, ValueTypes};
use super::{Adapting, copy_logical};
use crate::analysis::requirements::is_of_kernels;
use crate::loader::grammar::{self, is_longer, parameters};
use crate::loader::{Instruction, Module, SetKind, Visitor, views};
use crate::transform::Edits;
use crate::transform::edits::NewInstruction;
use crate::transform::insertion::InsertionPoints;
use crate::transform::removal::count_words;

/// Prefix of the names of extended instruction sets without semantics.
const NON_SEMANTIC: &str = "NonSemantic.";

/// The decoration of imports and exports.
const LINKAGE_ATTRIBUTES: u32 = Decoration::LinkageAttributes as u32;

/// Returns the ids of the imported sets without semantics.
pub(super) fn non_semantic_sets<'m>(module: &'m Module) -> impl Iterator<Item = u32> + 'm {
    module.imported_sets().filter(|set| set.name().starts_with(NON_SEMANTIC)).map(|set| set.id())
}

/// Returns true if a module has entry points and no imports: its exports are for linkers only.
fn only_exports(module: &Module) -> bool {
    let imports = |inst: &Instruction| {
        inst.is(Op::Decorate)
            && inst.word(2) == LINKAGE_ATTRIBUTES
            && inst.words_from(3).last() == Some(&(LinkageType::Import as u32))
    };
    module.entry_points().next().is_some() && !module.globals().any(|inst| imports(&inst))
}

/// The rows that apply to one module.
pub(super) struct Rewriting<'a, 'm, 'r> {
    module: &'m Module<'m>,
    adapting: &'a mut Adapting<'m, 'r>,
    instructions: HashMap<u16, &'static Adaptation>,
    enumerants: HashMap<(OperandKind, u32), &'static Adaptation>,
    /// The row of non-semantic instructions.
    non_semantic: Option<&'static Adaptation>,
    /// The imported sets without semantics, if their instructions are removed.
    removed_sets: HashSet<u32>,
    /// True if FPFastMathMode without any permission differs from no such decoration.
    has_default_mode: bool,
    /// The constant for the scope of sub-groups.
    scope: Option<u32>,
    /// The results that are removed.
    removed: HashSet<u32>,
    /// The sizes of work-groups, once a mode with the ids of constants is replaced.
    local_sizes: Option<LocalSizes>,
    /// The state that rotations share, once one is found; `None` inside if none becomes a shuffle.
    rotations: Option<Option<Rotations<'m>>>,
    /// The entry points that get ContractionOff.
    without_contraction: HashSet<u32>,
    /// The rows that were applied, with the number of changes.
    counts: Vec<(&'static Adaptation, usize)>,
}

impl<'a, 'm, 'r> Rewriting<'a, 'm, 'r> {
    pub fn new(
        module: &'m Module<'m>,
        active: &[&'static Adaptation],
        adapting: &'a mut Adapting<'m, 'r>,
    ) -> Rewriting<'a, 'm, 'r> {
        let mut rewriting = Rewriting {
            module,
            adapting,
            instructions: HashMap::new(),
            enumerants: HashMap::new(),
            non_semantic: None,
            removed_sets: HashSet::new(),
            has_default_mode: false,
            scope: None,
            removed: HashSet::new(),
            local_sizes: None,
            rotations: None,
            without_contraction: HashSet::new(),
            counts: Vec::new(),
        };
        for &row in active {
            match row.construct {
                AdaptableConstruct::Instruction(opcode) => {
                    let can_use = |twin| has_instruction(module, opcode) && rewriting.adapting.can_use(twin);
                    if row.twin().is_none_or(can_use) {
                        rewriting.instructions.insert(opcode, row);
                    }
                }
                // Without them, a shader may do what they forbid, which only modes of its own can express.
                AdaptableConstruct::Enumerant(kind, _)
                    if (kind == OperandKind::FPFastMathMode || row.becomes == Substitute::ContractionOff)
                        && !is_of_kernels(module) => {}
                AdaptableConstruct::Enumerant(OperandKind::Decoration, LINKAGE_ATTRIBUTES)
                    if !only_exports(module) => {}
                AdaptableConstruct::Enumerant(kind, value) => {
                    rewriting.enumerants.insert((kind, value), row);
                }
                AdaptableConstruct::Extension(_) => rewriting.non_semantic = Some(row),
            }
        }
        if rewriting.non_semantic.is_some() {
            rewriting.removed_sets = non_semantic_sets(module).collect();
        }
        let mode = ExecutionMode::FPFastMathDefault as u32;
        let is_default = |inst: &Instruction| inst.is(Op::ExecutionModeId) && inst.word(2) == mode;
        rewriting.has_default_mode = !rewriting.enumerants.contains_key(&(OperandKind::ExecutionMode, mode))
            && module.globals().any(|inst| is_default(&inst));
        rewriting
    }

    /// Writes the changes. Returns the rows that were applied, with the number of changes.
    pub fn write(mut self, edits: &mut Edits) -> Vec<(&'static Adaptation, usize)> {
        if self.forbids_contraction() {
            let module = self.module;
            let place = module.entry_points().last().map_or(0, |last| last.end());
            for entry_point in module.entry_points() {
                self.switch_contraction_off(entry_point.function(), place, edits);
            }
        }
        for inst in self.module.instructions() {
            self.instruction(&inst, edits);
        }
        if !self.removed.is_empty() {
            let is_of_removed =
                |inst: &Instruction| inst.describes_id() && self.removed.contains(&inst.word(1));
            let names = self.module.globals().filter(is_of_removed);
            names.for_each(|inst| edits.drop(&inst));
        }
        self.counts
    }

    fn count(&mut self, row: &'static Adaptation) {
        match self.counts.iter_mut().find(|(other, _)| std::ptr::eq(*other, row)) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((row, 1)),
        }
    }

    fn instruction(&mut self, inst: &Instruction, edits: &mut Edits) {
        if let Some(&row) = self.instructions.get(&inst.opcode()) {
            match &row.becomes {
                Substitute::Operand(at) => {
                    let Some([type_id, result]) = inst.typed_result() else { return };
                    let copy = NewInstruction::new(
                        Op::CopyObject,
                        Some(type_id),
                        Some(result),
                        vec![inst.word(3 + at)],
                    );
                    edits.replace(inst, &copy);
                }
                Substitute::Instruction { opcode, operands } => {
                    if !self.applies(inst, operands, row.types) {
                        return;
                    }
                    let words = self.twin(inst, *opcode, operands, edits);
                    edits.replace_words(inst, &words);
                }
                Substitute::Members => {
                    let Some(words) = copy_logical::members(self.module, inst, edits) else { return };
                    edits.replace_words(inst, &words);
                }
                Substitute::Shuffle => {
                    let Some(words) = self.shuffle(inst, edits) else { return };
                    edits.replace_words(inst, &words);
                }
                _ => {
                    self.removed.extend(inst.result_id());
                    edits.drop(inst);
                }
            }
            return self.count(row);
        }
        if !self.removed_sets.is_empty() && self.is_of_removed_set(inst) {
            self.removed.extend(inst.result_id());
            edits.drop(inst);
            if let Some(row) = self.non_semantic {
                self.count(row);
            }
            return;
        }
        if !self.enumerants.is_empty() {
            self.enumerants_of(inst, edits);
        }
    }

    fn is_of_removed_set(&self, inst: &Instruction) -> bool {
        match inst.op() {
            Some(Op::ExtInstImport) => self.removed_sets.contains(&views::ExtInstImport(*inst).id()),
            _ => {
                self.module.set_kind(inst).is_some_and(|kind| kind != SetKind::Semantic)
                    && self.removed_sets.contains(&views::ExtInst(*inst).set())
            }
        }
    }

    /// Changes the enumerants of one instruction.
    fn enumerants_of(&mut self, inst: &Instruction, edits: &mut Edits) {
        let mut visitor = RejectedEnumerants { rows: &self.enumerants, found: Vec::new() };
        self.module.walk(inst, &mut visitor);
        let rejected = visitor.found;
        let Some(&(_, kind, value, row)) = rejected.first() else { return };
        if !grammar::is_mask(kind) {
            match row.becomes {
                Substitute::LocalSize => {
                    let sizes = self.local_sizes.get_or_insert_with(|| LocalSizes::new(self.module));
                    let mode = views::ExecutionMode(*inst);
                    let Some(words) = sizes.literal_mode(self.module, mode, edits) else { return };
                    edits.replace_words(inst, &words);
                }
                Substitute::ContractionOff => {
                    self.contraction(inst, edits);
                    edits.drop(inst);
                }
                _ => edits.drop(inst),
            }
            return self.count(row);
        }
        let mut words = inst.words().to_vec();
        // From the last operand on, so that the earlier ones stay where they are.
        let mut places: Vec<(usize, OperandKind)> =
            rejected.iter().map(|&(at, kind, ..)| (at, kind)).collect();
        places.dedup();
        for &(at, kind) in places.iter().rev() {
            let bits = rejected.iter().filter(|other| other.0 == at).fold(0, |bits, other| bits | other.2);
            if !remove_bits(&mut words, at, kind, bits) {
                return;
            }
        }
        let is_empty = kind == OperandKind::FPFastMathMode && value != 0 && words.last() == Some(&0);
        if is_empty && !self.has_default_mode {
            edits.drop(inst);
        } else {
            count_words(&mut words);
            edits.replace_words(inst, &words);
        }
        rejected.into_iter().for_each(|(.., row)| self.count(row));
    }

    /// Adds ContractionOff for an entry point whose FPFastMathDefault does not permit contraction.
    fn contraction(&mut self, inst: &Instruction, edits: &mut Edits) {
        let entry_point = inst.word(1);
        let mask = self.module.definition_as(inst.word(4), Op::Constant).map(|constant| constant.word(3));
        let permits = mask.is_some_and(|mask| mask & FPFastMathMode::ALLOW_CONTRACT.bits() != 0);
        if !permits {
            self.switch_contraction_off(entry_point, inst.offset(), edits);
        }
    }

    /// Returns true if FloatControls2 is removed and an instruction was decorated without AllowContract, which forbids
    /// contraction only with that capability.
    fn forbids_contraction(&self) -> bool {
        let transform = FPFastMathMode::ALLOW_TRANSFORM.bits();
        let forbids = |inst: Instruction| {
            let contract = FPFastMathMode::ALLOW_CONTRACT.bits();
            views::Decoration::new(inst).is_some_and(|decoration| decoration.is_a(Decoration::FPFastMathMode))
                && inst.words().last().is_some_and(|mask| mask & contract == 0)
        };
        // Nothing else provides this bit.
        self.enumerants.contains_key(&(OperandKind::FPFastMathMode, transform))
            && self.module.annotations().any(forbids)
    }

    /// Adds ContractionOff to an entry point that does not have it.
    fn switch_contraction_off(&mut self, entry_point: u32, place: u32, edits: &mut Edits) {
        let off = ExecutionMode::ContractionOff as u32;
        let has_it = |inst: Instruction| {
            inst.is(Op::ExecutionMode) && inst.word(1) == entry_point && inst.word(2) == off
        };
        if !self.module.globals().any(has_it) && self.without_contraction.insert(entry_point) {
            edits.insert(place, &NewInstruction::new(Op::ExecutionMode, None, None, vec![entry_point, off]));
        }
    }

    /// Returns true if an instruction has the scope of sub-groups where the twin leaves it out, and values of the right types.
    fn applies(&self, inst: &Instruction, operands: &[TwinOperand], types: ValueTypes) -> bool {
        let all = &inst.words()[3..];
        let is_kept = |at: usize| operands.contains(&TwinOperand::Original(at));
        let is_scope = |&id: &u32| is_subgroup(self.module, id);
        let left_out = all.iter().enumerate().filter(|&(at, _)| !is_kept(at));
        let first = operands.iter().find_map(|operand| match operand {
            TwinOperand::Original(at) => all.get(*at),
            TwinOperand::SubgroupScope => None,
        });
        let type_ = first.and_then(|&id| self.module.type_of(id)).and_then(|id| self.module.definition(id));
        let is_number = type_.is_some_and(|type_| matches!(type_.op(), Some(Op::TypeInt | Op::TypeFloat)));
        left_out.map(|(_, id)| id).all(is_scope)
            && match types {
                ValueTypes::Any => true,
                ValueTypes::Bool => type_.is_some_and(|type_| type_.is(Op::TypeBool)),
                ValueTypes::Scalar => is_number || type_.is_some_and(|type_| type_.is(Op::TypeBool)),
                ValueTypes::Scalar32 => is_number && type_.is_some_and(|type_| type_.word(2) == 32),
            }
    }

    /// Returns the words of the instruction that replaces another one.
    fn twin(
        &mut self,
        inst: &Instruction,
        opcode: u16,
        operands: &[TwinOperand],
        edits: &mut Edits,
    ) -> Vec<u32> {
        let mut words = vec![u32::from(opcode), inst.word(1), inst.word(2)];
        for operand in operands {
            words.push(match operand {
                TwinOperand::SubgroupScope => self.scope(edits),
                TwinOperand::Original(at) => inst.word(3 + at),
            });
        }
        count_words(&mut words);
        words
    }

    /// Returns the words of the shuffle that replaces a rotation; `None` if it stays.
    fn shuffle(&mut self, inst: &Instruction, edits: &mut Edits) -> Option<Vec<u32>> {
        let module = self.module;
        let only_clustered = !self.adapting.rejects_instruction(inst.opcode());
        let rotations = self.rotations.get_or_insert_with(|| Rotations::new(module, only_clustered, edits));
        rotations.as_ref()?.shuffle(inst, edits)
    }

    /// Returns the constant for the scope of sub-groups, which is added to the module at its first use.
    fn scope(&mut self, edits: &mut Edits) -> u32 {
        if let Some(scope) = self.scope {
            return scope;
        }
        let place = InsertionPoints::find(self.module).globals;
        let is_int = |inst: &Instruction| inst.is(Op::TypeInt) && inst.word(2) == 32;
        let int = self.module.globals().find(is_int).and_then(|inst| inst.result_id());
        let int = int.unwrap_or_else(|| {
            let id = edits.fresh_id();
            edits.insert(place, &NewInstruction::new(Op::TypeInt, None, Some(id), vec![32, 0]));
            id
        });
        let id = edits.fresh_id();
        let value = vec![Scope::Subgroup as u32];
        edits.insert(place, &NewInstruction::new(Op::Constant, Some(int), Some(id), value));
        self.scope = Some(id);
        id
    }
}

fn has_instruction(module: &Module, opcode: u16) -> bool {
    module.functions().iter().any(|function| module.body(function).any(|inst| inst.opcode() == opcode))
}

/// Finds the enumerants of an instruction that rows have: the number of the word, the kind, the value, and the row.
struct RejectedEnumerants<'r> {
    rows: &'r HashMap<(OperandKind, u32), &'static Adaptation>,
    found: Vec<(usize, OperandKind, u32, &'static Adaptation)>,
}

impl Visitor for RejectedEnumerants<'_> {
    fn wants_enumerants(&self) -> bool {
        true
    }

    fn id(&mut self, _at: usize, _id: u32) {}

    fn enumerant(&mut self, at: usize, kind: OperandKind, value: u32) {
        if let Some(row) = self.rows.get(&(kind, value)) {
            self.found.push((at, kind, value, row));
        }
    }
}

/// Removes bits of a mask with their parameters. Returns false if the length of the parameters is not known.
fn remove_bits(words: &mut Vec<u32>, at: usize, kind: OperandKind, removed: u32) -> bool {
    let mut next = at + 1;
    let mut kept = Vec::new();
    for bit in grammar::enumerants(kind, words[at]) {
        let is_removed = bit & removed != 0;
        if is_longer(kind, bit) {
            // The rest belongs to this bit and to higher ones.
            if words[at] & !removed & !(bit - 1) != 0 {
                return false;
            }
            next = words.len();
            break;
        }
        let Some(parameters) = parameters(kind, bit) else { return false };
        let end = (next + parameters.len()).min(words.len());
        if !is_removed {
            kept.extend_from_slice(&words[next..end]);
        }
        next = end;
    }
    words[at] &= !removed;
    words.splice(at + 1..next, kept);
    true
}
