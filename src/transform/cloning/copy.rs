//! The bodies of clones, and the dispatchers that call them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use spirv::{Decoration, Op};

use super::copier::Copier;
use super::plan::{ClonedFunction, FunctionClone};
use super::{Cloned, CloningError};
use crate::analysis::constants::Constants;
use crate::analysis::{Analyses, constants_where};
use crate::collections::OrderedMap;
use crate::condition::Expr;
use crate::loader::{Function, Instruction, Module, views};
use crate::transform::body::FunctionBody;
use crate::transform::insertion::renamed;
use crate::transform::spec_ids::SpecIds;

/// Replaces functions by dispatchers and clones.
///
/// # Errors
/// If no SpecIds are left.
pub(crate) fn write(
    analyses: &Analyses,
    planned: &[ClonedFunction],
    cloned: &mut Cloned,
) -> Result<(), CloningError> {
    let module = analyses.module();
    let mut writer = CloneWriter {
        module,
        copier: Copier::new(analyses, planned.iter().map(|planned| planned.function)),
        spec_ids: SpecIds::from_module(module),
        constants: BTreeMap::new(),
        operations: OrderedMap::new(),
        cloned,
    };
    let mut written = Vec::new();
    for planned in planned {
        written.push(writer.function(planned.function, &planned.clones)?);
    }
    // Constants are inserted before the first function, as its own clones are: those must come after.
    for (body, clones) in written {
        body.emit(&mut writer.cloned.edits);
        clones.iter().for_each(|clone| clone.insert(body.function().end, &mut writer.cloned.edits));
    }
    Ok(())
}

struct CloneWriter<'w, 'm> {
    module: &'m Module<'m>,
    copier: Copier<'w, 'm>,
    spec_ids: SpecIds,
    /// Constants that were added, by type and value.
    constants: BTreeMap<(u32, u64), u32>,
    /// Operations on constants that were added, by their words without the id.
    operations: OrderedMap<Vec<u32>, u32>,
    cloned: &'w mut Cloned,
}

impl<'m> CloneWriter<'_, 'm> {
    /// Returns the body of a function, which is a dispatcher or its only clone, and its clones.
    fn function(
        &mut self,
        number: usize,
        clones: &[FunctionClone],
    ) -> Result<(FunctionBody<'m>, Vec<FunctionBody<'m>>), CloningError> {
        let function = &self.module.functions()[number];
        if let [only] = clones
            && only.condition == Expr::True
        {
            return Ok((self.clone(number, only, function.id, false)?, Vec::new()));
        }
        let (mut bodies, mut copies) = (Vec::new(), Vec::new());
        for (at, clone) in clones.iter().enumerate() {
            let copy = self.cloned.edits.fresh_id();
            // The first one keeps the ids, with their names and decorations.
            bodies.push(self.clone(number, clone, copy, at > 0)?);
            self.copier.name_copy(function, copy, at + 1, &mut self.cloned.edits);
            copies.push((clone.condition.clone(), copy));
        }
        let dispatcher = self.dispatcher(number, &copies);
        let annotated = &mut self.cloned.annotated;
        if let Some(used) = annotated.aspects.used.get(&function.id).cloned() {
            annotated.aspects.used.extend(copies.iter().map(|&(_, copy)| (copy, used.clone())));
        }
        annotated.clones.insert(function.id, copies);
        Ok((dispatcher, bodies))
    }

    /// Makes a clone with an id. If it is `anew`, all its results have new ids.
    fn clone(
        &mut self,
        number: usize,
        clone: &FunctionClone,
        copy: u32,
        anew: bool,
    ) -> Result<FunctionBody<'m>, CloningError> {
        let module = self.module;
        let mut constants = constants_where(module, &clone.values);
        let ids = self.ids(&module.functions()[number], copy, anew, &mut constants)?;
        let mut body = FunctionBody::decode(module, number);
        body.rename(&ids);
        for line in 0..body.all_lines().len() {
            let origin = body.all_lines()[line].origin();
            if let Some(branch) = clone.branches.iter().find(|branch| branch.terminator == origin) {
                // The condition of OpBranchConditional, and the selector of OpSwitch.
                let mut words = body.instruction(line).words().to_vec();
                words[1] = self.constant(module.instruction(origin).word(1), branch.value)?;
                body.replace(line, &words);
            }
        }
        Ok(body)
    }

    /// Returns the ids in a copy: new ones for its results, and for the known constants.
    fn ids(
        &mut self,
        function: &Function,
        copy: u32,
        anew: bool,
        constants: &mut Constants,
    ) -> Result<HashMap<u32, u32>, CloningError> {
        let module = self.module;
        let mut ids = match anew {
            true => self.copier.fresh_ids(function, copy, &mut self.cloned.edits),
            false => HashMap::from([(function.id, copy)]),
        };
        for id in self.open_constants(function, &ids) {
            if let Some(value) = constants.value(id) {
                ids.insert(id, self.constant(id, value)?);
            } else if let Some(inst) = module.definition(id)
                && let Some(op) = computed(&inst).filter(|_| module.continuations(&inst).next().is_none())
            {
                // Parts of its value may be known, such as bits.
                let mut words = renamed(module, &inst, &ids);
                if words != inst.words() {
                    words[0] = words[0] & 0xffff_0000 | op as u32;
                    words[2] = 0;
                    ids.insert(id, self.operation(words));
                }
            }
        }
        Ok(ids)
    }

    /// Returns the constants that a function depends on and that can be specialized, or may have such parts, each after its operands.
    fn open_constants(&self, function: &Function, ids: &HashMap<u32, u32>) -> Vec<u32> {
        let module = self.module;
        let (mut open, mut pending) = (BTreeSet::new(), Vec::new());
        let mut add = |inst: &Instruction, pending: &mut Vec<u32>| {
            module.walk(inst, &mut |_, id: u32| {
                let offset =
                    module.definition_offset(id).filter(|_| is_open(module, id) && !ids.contains_key(&id));
                if offset.is_some_and(|offset| open.insert((offset, id))) {
                    pending.push(id);
                }
            });
        };
        module.body(function).for_each(|inst| add(&inst, &mut pending));
        while let Some(id) = pending.pop() {
            module.definition(id).iter().for_each(|inst| add(inst, &mut pending));
        }
        open.into_iter().map(|(_, id)| id).collect()
    }

    /// Adds a copy of a constant that is computed from others, with these words except its id.
    fn operation(&mut self, mut words: Vec<u32>) -> u32 {
        if let Some(&known) = self.operations.get(&words) {
            return known;
        }
        let id = self.cloned.edits.fresh_id();
        self.operations.insert(words.clone(), id);
        words[2] = id;
        self.cloned.edits.insert_words(self.copier.points.globals, &words);
        id
    }

    /// Adds a specialization constant that replaces another, to be set to a value.
    fn constant(&mut self, like: u32, value: u64) -> Result<u32, CloningError> {
        let type_ = self.module.definition(like).and_then(|inst| inst.result_type()).unwrap_or(0);
        if let Some(&id) = self.constants.get(&(type_, value)) {
            return Ok(id);
        }
        let id = self.cloned.edits.fresh_id();
        let type_inst = self.module.definition(type_);
        let words = if type_inst.is_some_and(|inst| inst.is(Op::TypeBool)) {
            vec![3 << 16 | Op::SpecConstantFalse as u32, type_, id]
        } else {
            let count = type_inst.map_or(1, |inst| views::TypeNumber(inst).width().div_ceil(32).max(1));
            let mut words = vec![(3 + count) << 16 | Op::SpecConstant as u32, type_, id];
            words.resize(words.len() + count as usize, 0);
            words
        };
        let spec_id = self.spec_ids.fresh().ok_or(CloningError::NoSpecId)?;
        let decoration = [4 << 16 | Op::Decorate as u32, id, Decoration::SpecId as u32, spec_id];
        self.cloned.edits.insert_words(self.copier.points.annotations, &decoration);
        self.cloned.edits.insert_words(self.copier.points.globals, &words);
        self.cloned.set.push((spec_id, value));
        self.constants.insert((type_, value), id);
        Ok(id)
    }

    /// Returns the function with a body that calls the one clone that is present.
    fn dispatcher(&mut self, number: usize, copies: &[(Expr, u32)]) -> FunctionBody<'m> {
        let module = self.module;
        let function = &module.functions()[number];
        let begin = views::Function(module.instruction(function.start));
        let result_type = begin.type_id();
        let mut words = Vec::new();
        let mut parameters = Vec::new();
        for parameter in module.parameters(function).map(views::FunctionParameter) {
            let fresh = self.cloned.edits.fresh_id();
            self.copier.decorate(parameter.id(), fresh, &mut self.cloned.edits);
            words.extend([parameter.words()[0], parameter.type_id(), fresh]);
            parameters.push(fresh);
        }
        words.extend([2 << 16 | Op::Label as u32, self.cloned.edits.fresh_id()]);
        let mut results = Vec::new();
        for (condition, copy) in copies {
            let result = self.cloned.edits.fresh_id();
            words.extend([
                (4 + parameters.len() as u32) << 16 | Op::FunctionCall as u32,
                result_type,
                result,
                *copy,
            ]);
            words.extend(&parameters);
            self.cloned.annotated.calls.insert(result, condition.clone());
            results.push((condition.clone(), result));
        }
        if module.definition_as(result_type, Op::TypeVoid).is_some() {
            words.push(1 << 16 | Op::Return as u32);
        } else {
            let joined = self.cloned.edits.fresh_id();
            words.extend([4 << 16 | Op::CopyObject as u32, result_type, joined, results[0].1]);
            words.extend([2 << 16 | Op::ReturnValue as u32, joined]);
            self.cloned.annotated.joins.insert(joined, results);
        }
        words.push(1 << 16 | Op::FunctionEnd as u32);
        let mut body = FunctionBody::decode(module, number);
        body.keep_before(begin.end());
        body.push_all(function.start, &words);
        body
    }
}

/// Returns true if an id is a constant that can be specialized, or may be computed from such.
fn is_open(module: &Module, id: u32) -> bool {
    let is_open = |inst: Instruction| inst.is_spec_constant() || computed(&inst).is_some();
    module.is_global(id) && module.definition(id).is_some_and(is_open)
}

/// Returns the opcode of a constant that is computed from others, if parts of it can be specialized: an operation, or a composite.
fn computed(inst: &Instruction) -> Option<Op> {
    match inst.op()? {
        Op::SpecConstantOp => Some(Op::SpecConstantOp),
        Op::ConstantComposite | Op::SpecConstantComposite => Some(Op::SpecConstantComposite),
        Op::ConstantCompositeReplicateEXT | Op::SpecConstantCompositeReplicateEXT => {
            Some(Op::SpecConstantCompositeReplicateEXT)
        }
        _ => None,
    }
}
