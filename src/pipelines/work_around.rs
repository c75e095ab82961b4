//! Work-arounds for defects of drivers.

use super::{ModuleBuffer, PipelineError};
use crate::compatibility::{DefectPattern, DriverDefect};
use crate::transform::work_around;

/// Returns the words of a module without the code that has these defects, if other code has the same meaning. Calls
/// `note` with each defect for which code changed, and the number of instructions.
///
/// # Errors
/// If the words are not a module.
pub(super) fn without_defects<'m>(
    defects: impl Iterator<Item = &'static DriverDefect>,
    mut words: ModuleBuffer<'m>,
    note: &mut dyn FnMut(&DriverDefect, usize),
) -> Result<ModuleBuffer<'m>, PipelineError> {
    for defect in defects {
        let mut count = 0;
        words = words.changed(&mut |module| {
            let fixes = match defect.pattern {
                DefectPattern::BooleanLoopPhi => work_around::boolean_loop_phis(module),
                DefectPattern::PointerExpression => work_around::pointer_expressions(module),
            };
            count = fixes.instructions;
            Ok(fixes.edits)
        })?;
        if count > 0 {
            note(defect, count);
        }
    }
    Ok(words)
}
