//! Instructions at which the compiler of a driver is known to fail.

use std::collections::HashSet;

use serde::Serialize;

use super::cite::Cited;
use super::context::InspectContext;
use super::model::DeclarationName;
use spirv_if::engine::analysis::{ModuleRoot, SourceLocation};
use spirv_if::engine::compatibility::{DefectPattern, DefectPlace, DriverDefect, driver_defects};

/// An instruction at which the compiler of a driver is known to fail, though it is valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DefectInstruction {
    /// The driver, as `spirv-if specialize --work-around` calls it.
    pub driver: DeclarationName,
    /// The versions of the driver that are known to fail.
    pub versions: DeclarationName,
    /// The function with the instruction; `None` outside of functions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The instruction.
    pub instruction: Cited,
    #[serde(skip)]
    pattern: DefectPattern,
    #[serde(skip)]
    place: DefectPlace,
}

impl DefectInstruction {
    /// Returns the patterns of some of the instructions.
    pub(super) fn patterns<'d>(
        defects: impl IntoIterator<Item = &'d DefectInstruction>,
    ) -> Vec<DefectPattern> {
        let mut patterns: Vec<DefectPattern> = Vec::new();
        for defect in defects {
            if !patterns.contains(&defect.pattern) {
                patterns.push(defect.pattern);
            }
        }
        patterns
    }
}

impl InspectContext<'_, '_> {
    /// Returns the instructions at which the compiler of a driver is known to fail.
    pub(super) fn defects(&self) -> Vec<DefectInstruction> {
        let instructions = |defect: &'static DriverDefect| {
            let places = defect.pattern.places(self.module).into_iter();
            places.map(move |place| self.defect_instruction(defect, place))
        };
        driver_defects().iter().flat_map(instructions).collect()
    }

    fn defect_instruction(&self, defect: &'static DriverDefect, place: DefectPlace) -> DefectInstruction {
        let inst = self.module.instruction(place.offset);
        let id = inst.result_id().unwrap_or_default();
        let name = self.names.name(id).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("%{id}"), |name| format!("`{name}`"));
        let location = self.analyses.debug_locations().location(place.offset);
        DefectInstruction {
            driver: DeclarationName::Borrowed(defect.driver),
            versions: DeclarationName::Borrowed(defect.versions),
            function: place.function.map(|function| self.names.function_name(function).in_chain()),
            instruction: Cited {
                opcode: format!("{} {name}", inst.name()),
                offset: u64::from(place.offset) * 4,
                through: None,
                place: location.map(SourceLocation::into_owned),
            },
            pattern: defect.pattern,
            place,
        }
    }

    /// Returns the patterns of the instructions that a module with this root alone has.
    pub(super) fn defects_of_image(
        &self,
        root: &ModuleRoot,
        defects: &[DefectInstruction],
    ) -> Vec<DefectPattern> {
        if defects.is_empty() {
            return Vec::new();
        }
        let references = self.analyses.references();
        let mut pending = vec![root.function()];
        let mut reached: HashSet<u32> = pending.iter().copied().collect();
        while let Some(id) = pending.pop() {
            references.each_use(self.module, id, |used| {
                if reached.insert(used) {
                    pending.push(used);
                }
            });
        }
        let is_reached = |defect: &&DefectInstruction| {
            let id = defect.place.function;
            let id = id.or_else(|| self.module.instruction(defect.place.offset).result_id());
            id.is_some_and(|id| reached.contains(&id))
        };
        DefectInstruction::patterns(defects.iter().filter(is_reached))
    }
}
