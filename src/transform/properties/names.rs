//! The names of execution modes and decorations, and of the enumerants that are their operands.

use rspirv::grammar::OperandKind;

use crate::analysis::requirements::enumerants;
use crate::loader::grammar;

macro_rules! kinds {
    ($($kind:ident)*) => {
        /// The name of an enumerant. For a mask, `number` is one of its bits.
        pub fn name_of(kind: OperandKind, number: u32) -> Option<String> {
            let known = match kind {
                OperandKind::FPFastMathMode => spirv::FPFastMathMode::from_bits(number).map(|own| format!("{own:?}")),
                $(OperandKind::$kind => spirv::$kind::from_u32(number).map(|own| format!("{own:?}")),)*
                _ => None,
            };
            known.or_else(|| grammar::newer_name(kind, number).map(str::to_owned))
        }
    };
}

kinds! {
    ExecutionMode Decoration AccessQualifier BuiltIn FPDenormMode FPOperationMode FPRoundingMode
    FunctionParameterAttribute HostAccessQualifier InitializationModeQualifier LinkageType LoadCacheControl
    NamedMaximumNumberOfRegisters StoreCacheControl
}

/// The number of an execution mode, a decoration or another enumerant, by its name.
pub fn number_of(kind: OperandKind, name: &str) -> Option<u32> {
    let known = match kind {
        OperandKind::ExecutionMode => name.parse::<spirv::ExecutionMode>().ok().map(|mode| mode as u32),
        OperandKind::Decoration => name.parse::<spirv::Decoration>().ok().map(|decoration| decoration as u32),
        _ => None,
    };
    let has_name = |number: &u32| name_of(kind, *number).as_deref() == Some(name);
    known.or_else(|| enumerants(kind).map(|(number, _)| number).find(has_name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use OperandKind::{Decoration, ExecutionMode};

    /// Those that rspirv has are named as it names them.
    #[test]
    fn all_that_properties_become_has_names() {
        let kinds = [ExecutionMode, Decoration].into_iter().flat_map(grammar::all_kinds);
        for kind in kinds.filter(|&kind| grammar::is_enumerated(kind)) {
            assert!(
                enumerants(kind).map(|own| own.0).eq(grammar::members(kind).map(|own| own.0)),
                "{kind:?}"
            );
            for (number, _) in enumerants(kind) {
                let name = name_of(kind, number).unwrap();
                if let Some(known) = grammar::of_rspirv(kind, number) {
                    assert_eq!(name, known.to_string());
                }
                assert_eq!(number_of(kind, &name), Some(number));
            }
        }
    }
}
