//! Conversions: to floats of 16 bits, and those whose decorations say how they round, or that they saturate.

use std::collections::HashSet;

use spirv::{Decoration, FPRoundingMode, Op};

use super::LowerError;
use super::function::FunctionLowering;
use crate::collections::IdMap;
use crate::loader::{Instruction, Module};

/// The decorations of conversions, by id.
pub struct ConversionDecorations {
    rounding: IdMap<FPRoundingMode>,
    saturated: HashSet<u32>,
}

impl ConversionDecorations {
    /// Reads the decorations of a module.
    pub fn read(module: &Module) -> ConversionDecorations {
        let rounding =
            module.decorated_with(Decoration::FPRoundingMode).into_iter().filter_map(|(id, of)| {
                let mode = of.operands().first().and_then(|&mode| FPRoundingMode::from_u32(mode))?;
                Some((id, mode))
            });
        let saturated = module.decorated_with(Decoration::SaturatedConversion).into_iter();
        ConversionDecorations {
            rounding: rounding.collect(),
            saturated: saturated.map(|(id, _)| id).collect(),
        }
    }

    /// Returns how the conversion with an id rounds, if its decoration says so.
    pub fn rounding(&self, id: u32) -> Option<FPRoundingMode> {
        self.rounding.get(&id).copied()
    }
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
    /// Returns true for a conversion to floats that may round: numbers of up to 32 bits have equal doubles.
    pub(super) fn is_rounded(&self, inst: &Instruction) -> bool {
        let module = self.lowering.module;
        let is_to_float = matches!(inst.op(), Some(Op::ConvertUToF | Op::ConvertSToF | Op::FConvert));
        let from = module.type_of(inst.word(3)).map(|type_id| module.without_vector(type_id));
        let from = from.and_then(|type_id| module.definition(type_id));
        let is_small = from.is_some_and(|type_| type_.word(2) <= 32);
        let is_to_double =
            inst.result_type().is_some_and(|type_id| self.lowering.types.shape(type_id).is_some());
        is_to_float && !(is_to_double && is_small)
    }

    /// Returns the call of the function with a name that an instruction becomes.
    pub(super) fn library_call(&self, inst: &Instruction, name: &str) -> Result<LibraryCall, LowerError> {
        let mut call = LibraryCall { name: name.to_owned(), before: None, width: None };
        let Some([type_id, id]) = inst.typed_result() else { return Ok(call) };
        let module = self.lowering.module;
        let rounding = self.lowering.conversions.rounding(id);
        if self.is_rounded(inst) {
            if !matches!(rounding, None | Some(FPRoundingMode::RTE)) {
                return Err(self.lowering.error(inst, "it does not round to nearest"));
            }
            if is_float(module, type_id, 16) {
                call.name = name.replace("_to_float", "_to_half");
            }
        }
        if !matches!(inst.op(), Some(Op::ConvertFToU | Op::ConvertFToS)) {
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
            call.width = module.definition(module.without_vector(type_id)).map(|type_| type_.word(2));
        }
        Ok(call)
    }
}

/// Returns true for the type of floats of a width with the encoding of IEEE 754, and of vectors of them.
pub fn is_float(module: &Module, type_id: u32, width: u32) -> bool {
    let type_ = module.definition(module.without_vector(type_id));
    type_.is_some_and(|type_| type_.is(Op::TypeFloat) && type_.words_from(2) == [width])
}
