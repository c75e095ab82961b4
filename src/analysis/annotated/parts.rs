//! Entries on parts of integer constants.

use spirv::Op;

use super::error::{AnnotationError, AnnotationProblem};
use super::values::declarations_by_spec_id;
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::SpecConstantDecl;
use crate::analysis::constants::folding::Scalar;
use crate::collections::IdMap;
use crate::condition::{Conditions, Expr};
use crate::loader::{Module, views};
use crate::metadata::annotations::{AnnotationEntry, AnnotationsFile, ConstantPart, PartCondition};

/// An integer constant, with the parts that annotations bind.
#[derive(Clone, Debug)]
pub struct ConstantParts {
    /// The constants with its SpecId.
    pub constants: Vec<SpecConstantDecl>,
    /// The bound parts, in the order of the file.
    pub parts: Vec<BoundPart>,
}

/// A part of a constant that is bound to a condition.
#[derive(Clone, Debug)]
pub struct BoundPart {
    /// The mask of its bits.
    pub mask: u64,
    /// The bits where the condition holds.
    pub holds: u64,
    /// The bits elsewhere.
    pub fails: PartFails,
    /// The condition.
    pub condition: Expr,
    /// True if the host decides about the part where the condition holds.
    pub is_choice: bool,
}

/// The bits of a part where its condition does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartFails {
    /// All clear.
    Clear,
    /// The bits that the host sets, or these if the host sets those of [`BoundPart::holds`].
    Other(u64),
}

impl ConstantParts {
    /// Finds the constants of a module that a file binds parts of. SpecIds that the module does not have are left out.
    ///
    /// # Errors
    /// If a constant is not an integer, or does not have these parts, or if entries contradict each other.
    pub fn resolve(
        module: &Module,
        annotations: &AnnotationsFile,
    ) -> Result<Vec<ConstantParts>, AnnotationError> {
        if annotations.parts.is_empty() {
            return Ok(Vec::new());
        }
        let constants = declarations_by_spec_id(module);
        let mut by_spec_id: IdMap<Vec<PartEntry>> = IdMap::new();
        for entry in &annotations.parts {
            by_spec_id.entry(entry.key.0).or_default().push(entry);
        }
        let mut all = Vec::new();
        for (spec_id, entries) in by_spec_id {
            let Some(constants) = constants.get(&spec_id) else { continue };
            all.push(PartReader { module, annotations, spec_id }.read(constants, &entries)?);
        }
        Ok(all)
    }
}

/// An entry of the file on a part.
type PartEntry<'a> = &'a AnnotationEntry<(u32, ConstantPart), PartCondition>;

struct PartReader<'r, 'm> {
    module: &'m Module<'m>,
    annotations: &'r AnnotationsFile,
    spec_id: u32,
}

impl PartReader<'_, '_> {
    fn read(
        &self,
        constants: &[SpecConstantDecl],
        entries: &[PartEntry],
    ) -> Result<ConstantParts, AnnotationError> {
        let scalar = self.scalar(constants, entries[0])?;
        let mut parts = Vec::new();
        for &entry in entries {
            let (mask, value) = self.bits(entry, scalar)?;
            let PartCondition { condition, is_choice } = entry.value.clone();
            let (holds, fails) = match value {
                Some(value) => (value, PartFails::Other(0)),
                None => (mask, PartFails::Clear),
            };
            parts.push(BoundPart { mask, holds, fails, condition, is_choice });
        }
        self.check(&parts, entries)?;
        for at in 0..parts.len() {
            if let PartFails::Other(_) = parts[at].fails {
                let mask = parts[at].mask;
                let other = self.other_number(&parts, mask, entries[at])?;
                parts[at].fails = PartFails::Other(other);
            }
        }
        Ok(ConstantParts { constants: constants.to_vec(), parts })
    }

    /// Returns the type of the first constant. All are integers of one width.
    fn scalar(&self, constants: &[SpecConstantDecl], entry: PartEntry) -> Result<Scalar, AnnotationError> {
        let integer = |id: u32| {
            let constant = self.module.definition_as(id, Op::SpecConstant)?;
            let scalar = Scalar::from_type(self.module, views::SpecConstant(constant).type_id())?;
            matches!(scalar, Scalar::Int { .. }).then_some(scalar)
        };
        let (spec_id, first) = (self.spec_id, integer(constants[0].id));
        for constant in constants {
            let text = describe(self.module, constant.id);
            if constant.decoration.is_none() {
                return Err(self.error(entry, AnnotationProblem::Grouped { spec_id, constant: text }));
            }
            if first.is_none() || integer(constant.id).map(Scalar::width) != first.map(Scalar::width) {
                return Err(self.error(entry, AnnotationProblem::NoInteger { spec_id, constant: text }));
            }
        }
        Ok(first.unwrap_or(Scalar::Bool))
    }

    /// Returns the mask of a part, and its value.
    fn bits(&self, entry: PartEntry, scalar: Scalar) -> Result<(u64, Option<u64>), AnnotationError> {
        let part = &entry.key.1;
        let mask = part.mask.unwrap_or(scalar.mask(u64::MAX));
        let value = part.value.map(|value| scalar.fit(value as u64));
        match (scalar.mask(mask) == mask, value) {
            (true, None) => Ok((mask, None)),
            (true, Some(Some(value))) => Ok((mask, Some(value))),
            _ => {
                let (part, width) = (part.to_string(), scalar.width());
                Err(self.error(entry, AnnotationProblem::PartOutside { part, spec_id: self.spec_id, width }))
            }
        }
    }

    /// Checks that parts share no bits. Values of one part may share bits if at most one of their conditions holds.
    fn check(&self, parts: &[BoundPart], entries: &[PartEntry]) -> Result<(), AnnotationError> {
        let mut conditions = Conditions::new();
        for (at, (part, &entry)) in parts.iter().zip(entries).enumerate() {
            for (other, before) in parts.iter().zip(entries).take(at) {
                let problem = |together: bool| {
                    let (part, other) = (entry.key.1.to_string(), before.key.1.to_string());
                    let line = self.annotations.line(before.position);
                    match together {
                        true => AnnotationProblem::BothValues { part, other, line },
                        false => AnnotationProblem::CommonBits { part, other, line },
                    }
                };
                let are_values = part.fails != PartFails::Clear && other.fails != PartFails::Clear;
                if part.mask & other.mask == 0 {
                    continue;
                }
                if !are_values || part.mask != other.mask || part.holds == other.holds {
                    return Err(self.error(entry, problem(false)));
                }
                if part.is_choice && other.is_choice {
                    continue;
                }
                let mut both = || {
                    let (one, other) =
                        (conditions.of_expr(&part.condition)?, conditions.of_expr(&other.condition)?);
                    conditions.and(one, other)
                };
                if both().is_ok_and(|both| !both.is_false()) {
                    return Err(self.error(entry, problem(true)));
                }
            }
        }
        Ok(())
    }

    /// Returns the least number for the bits of a part that is none of its bound values.
    fn other_number(&self, parts: &[BoundPart], mask: u64, entry: PartEntry) -> Result<u64, AnnotationError> {
        let taken = |number: &u64| parts.iter().any(|part| part.mask == mask && part.holds == *number);
        let step = mask & mask.wrapping_neg();
        let in_order = (0..=parts.len() as u64).filter_map(|number| step.checked_mul(number));
        let mut numbers = in_order.filter(|number| number & !mask == 0);
        numbers.find(|number| !taken(number)).ok_or_else(|| {
            self.error(entry, AnnotationProblem::NoOtherValue { part: entry.key.1.to_string() })
        })
    }

    fn error(&self, entry: PartEntry, problem: AnnotationProblem) -> AnnotationError {
        AnnotationError::new(self.annotations, entry.position, problem)
    }
}
