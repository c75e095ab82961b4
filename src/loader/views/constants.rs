//! Constants and specialization constants.

views! {
    /// A scalar constant; OpSpecConstant has the same operands.
    Constant: Constant { type_id: word 1, id: word 2, value: words 3, low_word: word 3 }

    /// A scalar specialization constant with its default.
    SpecConstant: SpecConstant { type_id: word 1, id: word 2, value: words 3, low_word: word 3 }

    /// A composite constant, specialized or not.
    ConstantComposite: ConstantComposite | SpecConstantComposite {
        type_id: word 1, id: word 2, constituents: words 3,
    }

    /// A constant that an operation computes. The operands are those of the operation: ids and literals.
    SpecConstantOp: SpecConstantOp {
        type_id: word 1, id: word 2, operation: op 3, operation_number: word 3, operands: words 4,
    }

    /// A Boolean constant: whether the device is a target that has features (SPV_INTEL_function_variants).
    SpecConstantTargetINTEL: SpecConstantTargetINTEL { type_id: word 1, id: word 2, target: word 3, features: words 4 }

    /// A Boolean constant: how the device's architecture compares with one, by an operation on integers.
    SpecConstantArchitectureINTEL: SpecConstantArchitectureINTEL {
        type_id: word 1, id: word 2, category: word 3, family: word 4, operation: op 5, operation_number: word 5,
        architecture: word 6,
    }

    /// A Boolean constant: whether the device has capabilities.
    SpecConstantCapabilitiesINTEL: SpecConstantCapabilitiesINTEL {
        type_id: word 1, id: word 2, capabilities: words 3,
    }

    /// A pointer to a function, as a constant.
    ConstantFunctionPointerINTEL: ConstantFunctionPointerINTEL { type_id: word 1, id: word 2, function: word 3 }
}

impl Constant<'_> {
    /// The value as it lies in 64 bits, the low word first; a high word that is not there is 0.
    #[inline]
    pub fn bits(self) -> u64 {
        u64::from(self.word(3)) | u64::from(self.word(4)) << 32
    }
}

impl SpecConstantOp<'_> {
    /// The operand with this number, counted from 0.
    #[inline]
    pub fn operand(self, at: usize) -> u32 {
        self.word(4 + at)
    }
}
