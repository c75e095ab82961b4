//! Types, constants and specialization constants.

use std::fmt;

use spirv::FPEncoding;

views! {
    /// Any type: its id is the first operand.
    Type { id: word 1 }

    /// An integer type.
    TypeInt: TypeInt { id: word 1, width: word 2, signedness: word 3 }

    /// A floating-point type; IEEE 754 unless it has an encoding.
    TypeFloat: TypeFloat { id: word 1, width: word 2, encoding: optional 3 }

    /// An integer or floating-point type.
    TypeNumber: TypeInt | TypeFloat { id: word 1, width: word 2 }

    /// A vector type.
    TypeVector: TypeVector { id: word 1, component_type: word 2, component_count: word 3 }

    /// A vector type whose number of components is a constant.
    TypeVectorIdEXT: TypeVectorIdEXT { id: word 1, component_type: word 2, component_count: word 3 }

    /// A matrix type.
    TypeMatrix: TypeMatrix { id: word 1, column_type: word 2, column_count: word 3 }

    /// An array type. The length is the id of a constant.
    TypeArray: TypeArray { id: word 1, element_type: word 2, length: word 3 }

    /// An array type with or without a length.
    AnyArray: TypeArray | TypeRuntimeArray { id: word 1, element_type: word 2 }

    /// A type made of parts of one type: vector, matrix or array.
    AnySequence: TypeVector | TypeVectorIdEXT | TypeMatrix | TypeArray | TypeRuntimeArray { id: word 1, part: word 2 }

    /// A structure type.
    TypeStruct: TypeStruct { id: word 1, members: words 2 }

    /// A pointer type.
    TypePointer: TypePointer { id: word 1, storage_class: word 2, pointee: word 3 }

    /// An untyped pointer type.
    TypeUntypedPointerKHR: TypeUntypedPointerKHR { id: word 1, storage_class: word 2 }

    /// A pointer type with or without a pointee.
    AnyPointer: TypePointer | TypeUntypedPointerKHR { id: word 1, storage_class: word 2 }

    /// The declaration of a pointer type before its definition.
    TypeForwardPointer: TypeForwardPointer { pointer_type: word 1, storage_class: word 2 }

    /// A function type.
    TypeFunction: TypeFunction { id: word 1, return_type: word 2, parameters: words 3 }

    /// An image type.
    TypeImage: TypeImage {
        id: word 1, sampled_type: word 2, dim: word 3, depth: word 4, arrayed: word 5, multisampled: word 6, sampled: word 7,
        image_format: word 8, access_qualifier: optional 9,
    }

    /// The type of an image with a sampler.
    TypeSampledImage: TypeSampledImage { id: word 1, image_type: word 2 }

    /// A cooperative matrix type. All operands but the component type are ids of constants.
    TypeCooperativeMatrixKHR: TypeCooperativeMatrixKHR {
        id: word 1, component_type: word 2, scope: word 3, rows: word 4, columns: word 5, matrix_use: word 6,
    }

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

    /// A Boolean constant: true if the device is a target with these features (SPV_INTEL_function_variants).
    SpecConstantTargetINTEL: SpecConstantTargetINTEL { type_id: word 1, id: word 2, target: word 3, features: words 4 }

    /// A Boolean constant: compares the device's architecture with one, by an operation on integers.
    SpecConstantArchitectureINTEL: SpecConstantArchitectureINTEL {
        type_id: word 1, id: word 2, category: word 3, family: word 4, operation: op 5, operation_number: word 5,
        architecture: word 6,
    }

    /// A Boolean constant: true if the device supports these capabilities.
    SpecConstantCapabilitiesINTEL: SpecConstantCapabilitiesINTEL {
        type_id: word 1, id: word 2, capabilities: words 3,
    }

    /// A pointer to a function, as a constant.
    ConstantFunctionPointerINTEL: ConstantFunctionPointerINTEL { type_id: word 1, id: word 2, function: word 3 }
}

/// Writes the type as messages do: `float16`, followed by the name of its encoding if it has one.
impl fmt::Display for TypeFloat<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "float{}", self.width())?;
        match self.encoding().map(|number| FPEncoding::from_u32(number).ok_or(number)) {
            None => Ok(()),
            Some(Ok(encoding)) => write!(f, " of the encoding {encoding:?}"),
            Some(Err(number)) => write!(f, " of the encoding {number}"),
        }
    }
}

impl Constant<'_> {
    /// Returns the value as 64 bits, the low word first. A missing high word is 0.
    #[inline]
    pub fn bits(self) -> u64 {
        u64::from(self.word(3)) | u64::from(self.word(4)) << 32
    }
}

impl SpecConstantOp<'_> {
    /// Returns the operand with this number, counted from 0.
    #[inline]
    pub fn operand(self, at: usize) -> u32 {
        self.word(4 + at)
    }
}
