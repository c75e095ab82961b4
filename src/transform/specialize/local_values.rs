//! Values of a function's variables at their loads, which they replace.
//!
//! A variable is followed if the function only loads it, stores to it, and points into it. A load of it, or of one of its elements, has the value
//! of the last store, if all ways from that lead through the blocks between the two. It has the value of the only store if that dominates the load. Variables that debug information
//! describes are not followed: they keep their values for debuggers.
//!
//! In kernels, constants do not replace loads: scopes, memory semantics and sizes of copies may be any values there, but only some constants.

use std::collections::HashMap;

use spirv::{MemoryAccess, Op, StorageClass};

use crate::analysis::conditional::effects::Effects;
use crate::analysis::requirements::is_of_shaders;
use crate::analysis::{ModuleScope, is_debug};
use crate::loader::{Instruction, Module, Visitor, views};
use crate::transform::body::FunctionBody;
use crate::transform::fold::LeftBlock;

/// Stands for the absence of a number.
const NONE: u32 = u32::MAX;

/// The values that replace others in functions.
pub struct LocalValues<'m> {
    module: &'m Module<'m>,
    scope: &'m ModuleScope,
    effects: &'m Effects,
    /// True if constants may replace other values.
    takes_constants: bool,
    /// Value that replaces each id, or 0.
    values: Vec<u32>,
    /// True if constants replace values of the function that was read last.
    pub has_constants: bool,
    /// True if anything replaces values of any function.
    has_any: bool,
    /// Number of the place of each pointer plus 1, or 0.
    places_by_id: Vec<u32>,
    places: Vec<PointedPart>,
    variables: Vec<FollowedVariable>,
    /// The writes to elements, and to parts of them.
    elements: Vec<Writes>,
    /// Number of each element, by the number of its variable and its number in it.
    elements_by_number: HashMap<(u32, u32), u32>,
}

/// The part of a variable that a pointer points to.
#[derive(Clone, Copy, Debug)]
struct PointedPart {
    variable: u32,
    /// Number of the element in [`LocalValues::elements`]. [`NONE`] for the whole variable, and for an unknown element.
    element: u32,
    /// False for a part of the element.
    is_exact: bool,
}

#[derive(Debug, Default)]
struct FollowedVariable {
    is_left_alone: bool,
    /// The writes to the whole variable.
    whole: Writes,
    /// The writes to parts of the variable.
    partial: Writes,
    /// Writes to unknown elements.
    unknown: Writes,
}

/// The writes to a variable or a part of it.
#[derive(Clone, Copy, Debug, Default)]
struct Writes {
    /// The number of all in the function.
    count: u32,
    last: LastWrite,
}

/// The last write before the current instruction.
#[derive(Clone, Copy, Debug, Default)]
struct LastWrite {
    /// Number of the last write, counted in instructions; 0 before the first one.
    time: u32,
    /// The number of the block.
    block: usize,
    /// The written value, or 0.
    value: u32,
}

impl<'m> LocalValues<'m> {
    /// Starts without values.
    pub fn new(module: &'m Module, scope: &'m ModuleScope, effects: &'m Effects) -> LocalValues<'m> {
        LocalValues {
            module,
            scope,
            effects,
            takes_constants: is_of_shaders(module),
            values: Vec::new(),
            has_constants: false,
            has_any: false,
            places_by_id: Vec::new(),
            places: Vec::new(),
            variables: Vec::new(),
            elements: Vec::new(),
            elements_by_number: HashMap::new(),
        }
    }

    /// Returns the replacement of a value, or the value itself.
    pub fn replacement(&self, id: u32) -> u32 {
        match self.values.get(id as usize) {
            None | Some(0) => id,
            Some(&value) => value,
        }
    }

    /// Forgets the values of a function.
    pub fn forget(&mut self, body: &FunctionBody) {
        if !self.has_any {
            return;
        }
        body.lines().filter_map(|(_, inst)| inst.result_id()).for_each(|id| self.values[id as usize] = 0);
    }

    /// Finds the values of a function that has these blocks. OpPhis that became copies have the values that they copy.
    pub fn find(&mut self, body: &FunctionBody, left: &[LeftBlock]) {
        self.places.clear();
        self.variables.clear();
        self.elements.clear();
        self.elements_by_number.clear();
        self.has_constants = false;
        if !body.has_variables && !body.new_lines().any(|inst| inst.is(Op::CopyObject)) {
            return;
        }
        // OpPhis may name pointers that come after them.
        let mut phis = Vec::new();
        for (_, inst) in body.lines() {
            match inst.is(Op::Phi) {
                true => phis.push(inst),
                false if body.has_variables => self.scan(&inst),
                false => {}
            }
        }
        phis.iter().for_each(|inst| self.scan(inst));
        if body.has_variables {
            self.follow_all(body, left);
        } else {
            body.new_lines().for_each(|inst| self.follow_copy(&inst));
        }
        self.keep_boolean_phis(&phis);
    }

    /// Follows the values of variables through the blocks of a function.
    fn follow_all(&mut self, body: &FunctionBody, left: &[LeftBlock]) {
        let mut time = 0;
        for (block, range) in left.iter().enumerate() {
            for inst in range.lines.clone().filter_map(|line| body.left(line)) {
                time += 1;
                self.follow(&inst, LocalState { time, block, left });
            }
        }
    }

    /// Keeps the values of Boolean OpPhis: a driver may have a defect with other ones
    /// (`spec-extensions/driver-defects.csv`).
    fn keep_boolean_phis(&mut self, phis: &[Instruction]) {
        if !self.has_any {
            return;
        }
        for phi in phis.iter().map(|&inst| views::Phi(inst)) {
            if self.module.definition(phi.type_id()).is_some_and(|type_| type_.is(Op::TypeBool)) {
                phi.incoming().iter().for_each(|&[value, _]| self.values[value as usize] = 0);
            }
        }
    }

    /// Finds the places that a function points to and counts their writes. Places with other uses are ignored.
    fn scan(&mut self, inst: &Instruction) {
        match inst.op() {
            Some(Op::Variable) => self.variable(views::Variable(*inst)),
            Some(Op::AccessChain | Op::InBoundsAccessChain) => {
                let chain = views::AccessChain(*inst);
                if let Some(base) = self.place(chain.base()) {
                    let place =
                        self.inside(base, self.effects.element(self.module, inst), chain.indexes().len());
                    self.add_place(chain.id(), place);
                }
            }
            Some(Op::Load) if is_plain(views::Load(*inst).memory_access()) => {}
            Some(Op::Store) if is_plain(views::Store(*inst).memory_access()) => {
                let store = views::Store(*inst);
                self.exclude(store.object());
                if let Some(place) = self.place(store.pointer()) {
                    self.each_writes(place, |writes| writes.count += 1);
                }
            }
            _ if inst.words_from(1).iter().any(|&id| self.place(id).is_some()) => {
                let module = self.module;
                module.walk(inst, &mut |_: usize, id: u32| self.exclude(id));
            }
            _ => {}
        }
    }

    fn variable(&mut self, inst: views::Variable) {
        let pointee = self.module.pointee(inst.type_id()).and_then(|type_id| self.module.definition(type_id));
        let is_followed = inst.storage_class() == StorageClass::Function as u32
            && pointee.is_some_and(|pointee| views::AnyPointer::new(pointee).is_none())
            && !self.is_decorated(inst.id());
        if is_followed {
            let variable = self.variables.len() as u32;
            let initialized = u32::from(inst.initializer().is_some());
            let whole = Writes { count: initialized, ..Writes::default() };
            self.variables.push(FollowedVariable { whole, ..FollowedVariable::default() });
            self.add_place(inst.id(), PointedPart { variable, element: NONE, is_exact: true });
        }
    }

    /// Returns the place that a chain of indexes leads to. The first index has this number.
    fn inside(&mut self, base: PointedPart, number: Option<u32>, count: usize) -> PointedPart {
        let PointedPart { variable, element, is_exact } = base;
        match number {
            _ if count == 0 => base,
            Some(number) if is_exact && element == NONE => {
                let next = self.elements.len() as u32;
                let element = *self.elements_by_number.entry((variable, number)).or_insert(next);
                if element == next {
                    self.elements.push(Writes::default());
                }
                PointedPart { variable, element, is_exact: count == 1 }
            }
            _ => PointedPart { variable, element, is_exact: false },
        }
    }

    fn add_place(&mut self, id: u32, place: PointedPart) {
        self.places.push(place);
        if self.places_by_id.is_empty() {
            self.places_by_id = self.module.table_by_id();
        }
        self.places_by_id[id as usize] = self.places.len() as u32;
    }

    /// Returns the place to which an id points, if it points into a variable of the function.
    fn place(&self, id: u32) -> Option<PointedPart> {
        let place = self.places_by_id.get(id as usize)?.checked_sub(1)?;
        self.places.get(place as usize).copied()
    }

    fn exclude(&mut self, pointer: u32) {
        if let Some(place) = self.place(pointer) {
            self.variables[place.variable as usize].is_left_alone = true;
        }
    }

    /// Calls a function with the writes to which one to a place belongs.
    fn each_writes(&mut self, place: PointedPart, mut each: impl FnMut(&mut Writes)) {
        let variable = &mut self.variables[place.variable as usize];
        match place.element {
            NONE if place.is_exact => return each(&mut variable.whole),
            NONE => each(&mut variable.unknown),
            element => each(&mut self.elements[element as usize]),
        }
        each(&mut variable.partial);
    }

    /// Follows the next instruction.
    fn follow(&mut self, inst: &Instruction, now: LocalState) {
        match inst.op() {
            Some(Op::Variable) => {
                let inst = views::Variable(*inst);
                if let Some(initializer) = inst.initializer() {
                    self.write(inst.id(), initializer, now);
                }
            }
            Some(Op::Store) => self.write(views::Store(*inst).pointer(), views::Store(*inst).object(), now),
            Some(Op::Load) => {
                let load = views::Load(*inst);
                let value = self.place(load.pointer()).and_then(|place| self.read(place, now));
                let value = value.filter(|&value| self.module.type_of(value) == Some(load.type_id()));
                value.into_iter().for_each(|value| self.replace(load.id(), value));
            }
            _ => self.follow_copy(inst),
        }
    }

    /// Replaces an OpPhi that became a copy.
    fn follow_copy(&mut self, inst: &Instruction) {
        if let Some(copy) = views::CopyObject::new(*inst)
            && self.module.instruction(inst.offset()).is(Op::Phi)
        {
            self.replace(copy.id(), self.replacement(copy.operand()));
        }
    }

    /// Replaces a value by another one.
    fn replace(&mut self, id: u32, value: u32) {
        // Each use of an OpUndef may have another value.
        let is_undefined = self.module.definition(value).is_some_and(|inst| inst.is(Op::Undef));
        let is_taken = !is_undefined && (self.takes_constants || !self.module.is_global(value));
        // A decoration may give it a meaning that the other value does not have.
        if is_taken && !self.is_decorated(id) {
            if self.values.is_empty() {
                self.values = self.module.table_by_id();
            }
            self.values[id as usize] = value;
            self.has_constants |= self.module.is_global(value);
            self.has_any = true;
        }
    }

    fn write(&mut self, pointer: u32, value: u32, now: LocalState) {
        let Some(place) = self.place(pointer) else { return };
        let value = if place.is_exact { self.replacement(value) } else { 0 };
        self.each_writes(place, |writes| writes.last = LastWrite { time: now.time, block: now.block, value });
    }

    /// Returns the value that is read from a place.
    fn read(&self, place: PointedPart, now: LocalState) -> Option<u32> {
        let variable = &self.variables[place.variable as usize];
        if variable.is_left_alone || !place.is_exact {
            return None;
        }
        let (writes, others) = match place.element {
            NONE => (&variable.whole, [&variable.partial, &variable.unknown]),
            element => (&self.elements[element as usize], [&variable.whole, &variable.unknown]),
        };
        let last = writes.last;
        let (from, to) = (&now.left[last.block], &now.left[now.block]);
        let is_last = others.iter().all(|other| other.last.time < last.time);
        let is_only = writes.count == 1 && others.iter().all(|other| other.count == 0);
        let is_read =
            last.time > 0 && (is_last && from.comes_straight_to(to) || is_only && from.dominates(to));
        Some(last.value).filter(|&value| is_read && value != 0)
    }

    /// Replaces the values in the lines of a function that are left.
    pub fn replace_in(&self, body: &mut FunctionBody) {
        if !self.has_any {
            return;
        }
        let module = self.module;
        let mut replaced = Vec::new();
        for line in 0..body.all_lines().len() {
            let Some(inst) = body.left(line) else { continue };
            let words = inst.words();
            if words[1..].iter().all(|&id| self.replacement(id) == id) || is_debug(module, &inst) {
                continue;
            }
            replaced.clear();
            replaced.extend_from_slice(words);
            module.walk(&inst, &mut ValueReplacement { values: self, words: &mut replaced });
            if replaced != words {
                body.replace(line, &replaced);
            }
        }
    }

    fn is_decorated(&self, id: u32) -> bool {
        self.scope.decorated.binary_search(&id).is_ok()
    }
}

/// The time and place of an instruction among the remaining blocks.
#[derive(Clone, Copy)]
struct LocalState<'l> {
    time: u32,
    block: usize,
    left: &'l [LeftBlock],
}

/// An instruction whose values are replaced.
struct ValueReplacement<'v> {
    values: &'v LocalValues<'v>,
    words: &'v mut [u32],
}

impl Visitor for ValueReplacement<'_> {
    fn id(&mut self, at: usize, id: u32) {
        self.words[at] = self.values.replacement(id);
    }

    /// Visits an operand that may be a number. The id that it may name is kept.
    fn possible_id(&mut self, _at: usize, _id: u32) {}
}

/// Returns true if a memory access has only an alignment, or the hint that the memory is not accessed again soon.
fn is_plain(memory_access: u32) -> bool {
    let harmless = MemoryAccess::ALIGNED | MemoryAccess::NONTEMPORAL;
    memory_access & !harmless.bits() == 0
}
