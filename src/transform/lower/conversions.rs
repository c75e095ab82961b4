//! Conversions: to floats of 16 bits, and those whose decorations say how they round, or that they saturate.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, FPRoundingMode, Op};

use super::LowerError;
use super::function::FunctionLowering;
use crate::loader::{Instruction, Module, views};

/// The decorations of conversions, by id.
pub struct ConversionDecorations {
    rounding: HashMap<u32, FPRoundingMode>,
    saturated: HashSet<u32>,
}

impl ConversionDecorations {
    /// Reads the decorations of a module.
    pub fn read(module: &Module) -> ConversionDecorations {
        let mut all = ConversionDecorations { rounding: HashMap::new(), saturated: HashSet::new() };
        for decoration in module.decorations_with(Decoration::FPRoundingMode) {
            let mode = decoration.operands().first().and_then(|&mode| FPRoundingMode::from_u32(mode));
            all.rounding.extend(
                mode.into_iter()
                    .flat_map(|mode| targets(module, decoration.target()).map(move |id| (id, mode))),
            );
        }
        for decoration in module.decorations_with(Decoration::SaturatedConversion) {
            all.saturated.extend(targets(module, decoration.target()));
        }
        all
    }
}

/// Returns an id that is decorated, and if it is a group, those that the group decorates.
fn targets(module: &Module, decorated: u32) -> impl Iterator<Item = u32> {
    let groups = module.group_decorations().filter(move |group| group.group() == decorated);
    groups.flat_map(|group| group.targets()).chain([decorated])
}

/// A call of a function of the library.
pub struct LibraryCall {
    pub name: String,
    /// The function that rounds its argument.
    pub before: Option<&'static str>,
    /// The argument after the operands of the instruction: a number of bits.
    pub width: Option<u32>,
}

impl FunctionLowering<'_, '_> {
    /// Returns the call of the function with a name that an instruction becomes.
    pub(super) fn library_call(&self, inst: &Instruction, name: &str) -> Result<LibraryCall, LowerError> {
        let mut call = LibraryCall { name: name.to_owned(), before: None, width: None };
        let is_to_integer = matches!(inst.op(), Some(Op::ConvertFToU | Op::ConvertFToS));
        let is_to_float = matches!(inst.op(), Some(Op::ConvertUToF | Op::ConvertSToF | Op::FConvert));
        let Some([type_id, id]) = inst.typed_result().filter(|_| is_to_integer || is_to_float) else {
            return Ok(call);
        };
        let module = self.lowering.module;
        let rounding = self.lowering.conversions.rounding.get(&id).copied();
        if is_to_float {
            let is_exact = inst.is(Op::FConvert) && self.lowering.types.shape(type_id).is_some();
            if !is_exact && !matches!(rounding, None | Some(FPRoundingMode::RTE)) {
                return Err(self.lowering.error(inst, "it does not round to nearest"));
            }
            if is_half(module, type_id) {
                call.name = "float64_to_half".to_owned();
            }
            return Ok(call);
        }
        call.before = match rounding {
            None | Some(FPRoundingMode::RTZ) => None,
            Some(FPRoundingMode::RTE) => Some("float64_round_even"),
            Some(FPRoundingMode::RTP) => Some("float64_ceil"),
            Some(FPRoundingMode::RTN) => Some("float64_floor"),
        };
        if self.lowering.conversions.saturated.contains(&id) {
            call.name += "_saturated";
            call.width = module.definition(component_type(module, type_id)).map(|type_| type_.word(2));
        }
        Ok(call)
    }
}

/// Returns true for the type of floats of 16 bits with the encoding of IEEE 754, and of vectors of them.
pub fn is_half(module: &Module, type_id: u32) -> bool {
    let type_ = module.definition(component_type(module, type_id));
    type_.is_some_and(|type_| type_.is(Op::TypeFloat) && type_.words_from(2) == [16])
}

fn component_type(module: &Module, type_id: u32) -> u32 {
    let vector = module.definition(type_id).and_then(views::TypeVector::new);
    vector.map_or(type_id, |vector| vector.component_type())
}
