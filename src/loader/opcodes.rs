//! Facts about opcodes that several parts of the library use. [`grammar`](super::grammar) has those of the grammar, and
//! opcodes with the same operands share a view ([`views`](super::views)).

use spirv::Op;

use super::instruction::Instruction;

/// Returns true for an access chain whose base has a type of pointee.
pub fn is_access_chain(op: Op) -> bool {
    use Op::*;
    matches!(op, AccessChain | InBoundsAccessChain | PtrAccessChain | InBoundsPtrAccessChain)
}

/// Returns true for an access chain that names the type of its base's pointee.
pub fn is_untyped_access_chain(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        UntypedAccessChainKHR
            | UntypedInBoundsAccessChainKHR
            | UntypedPtrAccessChainKHR
            | UntypedInBoundsPtrAccessChainKHR
    )
}

/// Returns true for an operation that passes a pointer on as one of another type, or unchanged.
pub fn passes_pointer(op: Op) -> bool {
    matches!(op, Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr | Op::CopyObject)
}

/// Returns true for an atomic instruction.
pub fn is_atomic(op: Op) -> bool {
    (Op::AtomicLoad as u32..=Op::AtomicXor as u32).contains(&(op as u32))
        || matches!(op, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT)
}

impl Instruction<'_> {
    /// Returns the pointer from which the instruction derives another pointer to the same variable or a part of it.
    #[inline]
    pub fn pointer_base(&self) -> Option<u32> {
        match self.op() {
            Some(op) if is_access_chain(op) || passes_pointer(op) => Some(self.word(3)),
            _ => None,
        }
    }

    /// Returns true for the definition of a variable.
    pub fn is_variable(&self) -> bool {
        matches!(self.op(), Some(Op::Variable | Op::UntypedVariableKHR))
    }

    /// Returns true if the instruction begins or ends a position in the source.
    #[inline]
    pub fn is_line(&self) -> bool {
        self.is(Op::Line) || self.is(Op::NoLine)
    }

    /// Returns true for an instruction of an extended set.
    pub fn is_extended(&self) -> bool {
        matches!(self.op(), Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR))
    }

    /// Returns true for a call of a function, by its id or by a pointer.
    pub fn is_call(&self) -> bool {
        matches!(self.op(), Some(Op::FunctionCall | Op::FunctionPointerCallINTEL))
    }

    /// Returns true for a constant that does not depend on specialization constants, and has no constituents that might.
    pub fn is_plain_constant(&self) -> bool {
        use Op::*;
        matches!(
            self.op(),
            Some(Constant | ConstantTrue | ConstantFalse | ConstantNull | ConstantSampler | Undef)
        )
    }

    /// Returns true for a specialization constant with a default value: the host sets those that have a SpecId.
    pub fn is_spec_constant(&self) -> bool {
        matches!(self.op(), Some(Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse))
    }

    /// Returns true for a specialization constant that is computed from others.
    pub fn is_computed_constant(&self) -> bool {
        use Op::*;
        matches!(self.op(), Some(SpecConstantOp | SpecConstantComposite | SpecConstantCompositeReplicateEXT))
    }

    /// Returns true for one of the three constants that follow from the device (SPV_INTEL_function_variants).
    pub fn is_device_constant(&self) -> bool {
        use Op::*;
        matches!(
            self.op(),
            Some(SpecConstantTargetINTEL | SpecConstantArchitectureINTEL | SpecConstantCapabilitiesINTEL)
        )
    }

    /// Returns true for any specialization constant: one that the host may set, one that follows from the device, or
    /// one computed from these.
    pub fn is_open_constant(&self) -> bool {
        self.is_spec_constant() || self.is_computed_constant() || self.is_device_constant()
    }

    /// Returns true for a constant made of constituents.
    pub fn is_composite_constant(&self) -> bool {
        use Op::*;
        matches!(
            self.op(),
            Some(
                ConstantComposite
                    | ConstantCompositeReplicateEXT
                    | SpecConstantComposite
                    | SpecConstantCompositeReplicateEXT
            )
        )
    }

    /// Returns true for a declaration of the aliases of memory accesses (SPV_INTEL_memory_access_aliasing).
    pub fn is_alias_declaration(&self) -> bool {
        use Op::*;
        matches!(self.op(), Some(AliasDomainDeclINTEL | AliasScopeDeclINTEL | AliasScopeListDeclINTEL))
    }

    /// Returns true for the name or a decoration of an id as a whole, or of a decoration group.
    pub fn describes_id(&self) -> bool {
        matches!(self.op(), Some(Op::Name)) || self.decorates_id()
    }

    /// Returns true for a decoration of an id as a whole, or of a decoration group.
    #[inline]
    pub fn decorates_id(&self) -> bool {
        matches!(self.op(), Some(Op::Decorate | Op::DecorateId | Op::DecorateString))
    }

    /// Returns true for the name or a decoration of a member.
    pub fn describes_member(&self) -> bool {
        matches!(self.op(), Some(Op::MemberName | Op::MemberDecorate | Op::MemberDecorateString))
    }
}
