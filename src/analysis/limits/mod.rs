//! The limits that a module sets to the values of its constants: ranges of operands, the lengths that code relies on, and room in memory
//! with explicit layouts.
//!
//! Only constants that a host sets, and constants computed from them, have limits here. All others are fixed in the module.

pub mod layout;
pub mod parts;
pub mod ranges;
pub mod relations;

use super::constants::folding::Scalar;
use super::constants::{Constants, SpecConstantDecl};
use super::references::graph::ReferenceGraph;
use super::requirements::is_of_shaders;
use crate::loader::{Instruction, Module, views};
use layout::{LayoutProblem, Layouts};
use parts::{PartFinder, PartLimit, states_size};
use ranges::{RangeFinder, RangeLimit};
use relations::{SizeFinder, SizeLimit};

/// The limits of the values of a module's constants.
#[derive(Debug, Default)]
pub struct ValueLimits {
    ranges: Box<[RangeLimit]>,
    parts: Box<[PartLimit]>,
    sizes: Box<[SizeLimit]>,
    layouts: Layouts,
}

/// A limit that values do not keep.
#[derive(Debug)]
pub enum BrokenLimit<'l> {
    /// A value that is not in the range of an operand.
    Range(&'l RangeLimit, i64),
    /// A length that does not fit an instruction.
    Part(&'l PartLimit, u64),
    /// A size that breaks a bound, and the size that it must equal.
    Size(&'l SizeLimit, (u64, u64)),
    /// A type that no longer fits its layout.
    Layout(LayoutProblem),
}

impl ValueLimits {
    /// Finds the limits of a module in linear time. `spec_ids` are the constants that a host can set. `computed` are the offsets of
    /// constants computed from others, in order.
    pub fn new(
        module: &Module,
        spec_ids: &[SpecConstantDecl],
        computed: &[u32],
        references: &ReferenceGraph,
    ) -> ValueLimits {
        let Some(variable) = VariableConstants::find(module, spec_ids, computed, references) else {
            return ValueLimits::default();
        };
        let counts = |id: u32| variable.contains(id);
        let is_of_shaders = is_of_shaders(module);
        let mut ranges = RangeFinder { module, is_of_shaders, counts: &counts, limits: Vec::new() };
        let mut sizes = SizeFinder { module, counts: &counts, limits: Vec::new() };
        let mut has_sizes = false;
        for inst in module.globals() {
            ranges.add(inst);
            sizes.add(inst);
            has_sizes |= layout::decides_size(&inst, &counts) || states_size(&inst, &counts);
        }
        let mut parts = has_sizes.then(|| PartFinder::new(module, &counts));
        if let Some(parts) = &mut parts {
            module.globals().for_each(|inst| parts.add(inst));
        }
        for (at, function) in module.functions().iter().enumerate() {
            let names_constants = references.function_uses(at).any(|id| variable.contains(id));
            let parts = parts.as_mut().filter(|parts| parts.concerns(references.function_uses(at)));
            match parts {
                None if names_constants => module.body(function).for_each(|inst| {
                    ranges.add(inst);
                    sizes.add(inst);
                }),
                None => {}
                Some(parts) => module.body(function).for_each(|inst| {
                    ranges.add(inst);
                    sizes.add(inst);
                    parts.add(inst);
                }),
            }
        }
        sizes.add_derivative_groups();
        sizes.add_mesh_outputs(references);
        let (ranges, sizes) = (ranges.limits.into_boxed_slice(), sizes.limits.into_boxed_slice());
        let Some(parts) = parts else { return ValueLimits { ranges, sizes, ..ValueLimits::default() } };
        let parts = parts.limits.into_boxed_slice();
        let mut defaults = Constants::defaults(module);
        let layouts = Layouts::new(module, &counts, &mut |id| defaults.value(id));
        ValueLimits { ranges, parts, sizes, layouts }
    }

    /// Returns true if no value is limited.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty() && self.parts.is_empty() && self.sizes.is_empty() && self.layouts.is_empty()
    }

    /// Reports the limits that values do not keep. Those without a value keep all. `decided` returns the values that no host changes: a size
    /// that several constants decide has no limit before.
    pub fn check<'l>(
        &'l self,
        value: &mut dyn FnMut(u32) -> Option<u64>,
        decided: &mut dyn FnMut(u32) -> Option<u64>,
        report: &mut dyn FnMut(BrokenLimit<'l>),
    ) {
        for limit in &self.ranges {
            if let Some(excluded) = value(limit.constant).and_then(|value| limit.excluded(value)) {
                report(BrokenLimit::Range(limit, excluded));
            }
        }
        for limit in &self.parts {
            if let Some(length) = value(limit.constant).filter(|&length| !limit.permits(length)) {
                report(BrokenLimit::Part(limit, length));
            }
        }
        for limit in &self.sizes {
            if let Some(sizes) = limit.excluded(decided) {
                report(BrokenLimit::Size(limit, sizes));
            }
        }
        self.layouts.check(value, &mut |problem| report(BrokenLimit::Layout(problem)));
    }

    /// Returns the constants that decide a problem of a layout.
    pub fn constants_of(&self, problem: &LayoutProblem) -> Vec<u32> {
        self.layouts.constants_of(problem)
    }

    /// Returns a structure that is a block, or another type with an explicit layout, in which a type is.
    pub fn block_with(&self, type_id: u32) -> Option<u32> {
        self.layouts.block_with(type_id)
    }
}

/// The integer constants whose values a host decides.
struct VariableConstants(Vec<bool>);

impl VariableConstants {
    /// Finds the constants. Returns `None` if the module has none.
    fn find(
        module: &Module,
        spec_ids: &[SpecConstantDecl],
        computed: &[u32],
        references: &ReferenceGraph,
    ) -> Option<VariableConstants> {
        let mut variable = vec![false; module.bound() as usize];
        spec_ids.iter().for_each(|constant| variable[constant.id as usize] = true);
        for inst in module.globals().filter(Instruction::is_device_constant) {
            variable[views::Value(inst).id() as usize] = true;
        }
        for &offset in computed {
            let id = views::Value(module.instruction(offset)).id();
            variable[id as usize] = references.any_use(module, id, |used| variable[used as usize]);
        }
        let mut any = false;
        for (id, is_variable) in (0..).zip(&mut variable).filter(|(_, is_variable)| **is_variable) {
            let scalar = module.type_of(id).and_then(|type_id| Scalar::from_type(module, type_id));
            *is_variable = matches!(scalar, Some(Scalar::Int { .. }));
            any |= *is_variable;
        }
        any.then_some(VariableConstants(variable))
    }

    fn contains(&self, id: u32) -> bool {
        self.0.get(id as usize).is_some_and(|is_variable| *is_variable)
    }
}
