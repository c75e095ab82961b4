//! Functions, control flow, memory, calls, and operations on values.

views! {
    /// Any instruction with a result and its type, the first operands of all of them. See also `operand`.
    Value { type_id: word 1, id: word 2, operands: words 3 }

    /// The start of a function.
    Function: Function { type_id: word 1, id: word 2, control: word 3, function_type: word 4 }

    /// A parameter of a function.
    FunctionParameter: FunctionParameter { type_id: word 1, id: word 2 }

    /// A call of a function.
    FunctionCall: FunctionCall { type_id: word 1, id: word 2, callee: word 3, arguments: words 4 }

    /// A variable. Its type is a pointer.
    Variable: Variable { type_id: word 1, id: word 2, storage_class: word 3, initializer: optional 4 }

    /// A variable whose pointer type does not say what it points to.
    UntypedVariableKHR: UntypedVariableKHR {
        type_id: word 1, id: word 2, storage_class: word 3, data_type: word 4, initializer: optional 5,
    }

    /// A load from memory.
    Load: Load { type_id: word 1, id: word 2, pointer: word 3, memory_access: word 4 }

    /// A store to memory.
    Store: Store { pointer: word 1, object: word 2, memory_access: word 3 }

    /// A copy from memory to memory.
    CopyMemory: CopyMemory | CopyMemorySized { target: word 1, source: word 2 }

    /// A copy of some bytes from memory to memory. The size is the id of a number.
    CopyMemorySized: CopyMemorySized { target: word 1, source: word 2, size: word 3 }

    /// A pointer to a part of the object that another pointer points to.
    AccessChain: AccessChain | InBoundsAccessChain { type_id: word 1, id: word 2, base: word 3, indexes: words 4 }

    /// A pointer to a part of an array element, relative to another pointer.
    PtrAccessChain: PtrAccessChain | InBoundsPtrAccessChain {
        type_id: word 1, id: word 2, base: word 3, element: word 4, indexes: words 5,
    }

    /// A copy of a value.
    CopyObject: CopyObject { type_id: word 1, id: word 2, operand: word 3 }

    /// A copy of the first value whose condition holds (SPV_INTEL_function_variants). The pairs are of a condition and a value.
    ConditionalCopyObjectINTEL: ConditionalCopyObjectINTEL { type_id: word 1, id: word 2, choices: pairs 3 }

    /// A choice between two values.
    Select: Select { type_id: word 1, id: word 2, condition: word 3, object_1: word 4, object_2: word 5 }

    /// A composite of its constituents.
    CompositeConstruct: CompositeConstruct { type_id: word 1, id: word 2, constituents: words 3 }

    /// A part of a composite. The indexes are literals.
    CompositeExtract: CompositeExtract { type_id: word 1, id: word 2, composite: word 3, indexes: words 4 }

    /// A composite with one part replaced. The indexes are literals.
    CompositeInsert: CompositeInsert {
        type_id: word 1, id: word 2, object: word 3, composite: word 4, indexes: words 5,
    }

    /// A vector of components of two vectors. The components are literals.
    VectorShuffle: VectorShuffle {
        type_id: word 1, id: word 2, vector_1: word 3, vector_2: word 4, components: words 5,
    }

    /// A read of an image without a sampler.
    ImageRead: ImageRead | ImageSparseRead { type_id: word 1, id: word 2, image: word 3, coordinate: word 4 }

    /// A write to an image.
    ImageWrite: ImageWrite { image: word 1, coordinate: word 2, texel: word 3 }

    /// A pointer to a texel.
    ImageTexelPointer: ImageTexelPointer {
        type_id: word 1, id: word 2, image: word 3, coordinate: word 4, sample: word 5,
    }

    /// An atomic store. Atomic instructions with a result have their pointer as the first operand after it.
    AtomicStore: AtomicStore { pointer: word 1, memory: word 2, semantics: word 3, value: word 4 }

    /// A store of a cooperative vector to an array.
    CooperativeVectorStoreNV: CooperativeVectorStoreNV { pointer: word 1, offset: word 2, object: word 3 }

    /// A read of a clock. The scope is the id of a constant.
    ReadClockKHR: ReadClockKHR { type_id: word 1, id: word 2, scope: word 3 }

    /// A trace of a ray. The flags are the id of a number.
    TraceRay: TraceRayKHR | TraceRayMotionNV | TraceMotionNV { acceleration_structure: word 1, ray_flags: word 2 }

    /// The initialization of a ray query, or a ray traced into a hit object. The query or hit object is the
    /// first operand. The flags are the id of a number.
    TraceRayInto: RayQueryInitializeKHR | HitObjectTraceRayNV | HitObjectTraceRayMotionNV | HitObjectTraceRayEXT
        | HitObjectTraceRayMotionEXT | HitObjectTraceReorderExecuteEXT | HitObjectTraceMotionReorderExecuteEXT {
        object: word 1, acceleration_structure: word 2, ray_flags: word 3,
    }

    /// An instruction of an extended instruction set: `set` is the id of its import.
    ExtInst: ExtInst | ExtInstWithForwardRefsKHR {
        type_id: word 1, id: word 2, set: word 3, instruction: word 4, operands: words 5,
    }

    /// The start of a block.
    Label: Label { id: word 1 }

    /// A branch.
    Branch: Branch { target_label: word 1 }

    /// A branch to one of two blocks.
    BranchConditional: BranchConditional {
        condition: word 1, true_label: word 2, false_label: word 3, branch_weights: words 4,
    }

    /// A branch to one of many blocks. See also `cases`.
    Switch: Switch { selector: word 1, default: word 2 }

    /// A value that depends on the preceding block. The pairs are of a value and a label.
    Phi: Phi { type_id: word 1, id: word 2, incoming: pairs 3 }

    /// The end of a function with a result.
    ReturnValue: ReturnValue { value: word 1 }

    /// The declaration of a loop.
    LoopMerge: LoopMerge { merge_block: word 1, continue_target: word 2, loop_control: word 3 }

    /// The declaration of a selection.
    SelectionMerge: SelectionMerge { merge_block: word 1, selection_control: word 2 }

    /// The declaration of a loop or a selection.
    Merge: LoopMerge | SelectionMerge { merge_block: word 1 }
}

impl Value<'_> {
    /// Returns the operand with this number after the result, counted from 0.
    #[inline]
    pub fn operand(self, at: usize) -> u32 {
        self.word(3 + at)
    }
}

impl<'a> Switch<'a> {
    /// Returns the literals and labels of the cases, for a selector of `width` bits. The number of words of a
    /// literal depends on the type of the selector.
    pub fn cases(self, width: u32) -> impl Iterator<Item = (&'a [u32], u32)> + use<'a> {
        let literal = if width > 32 { 2 } else { 1 };
        self.words_from(3).chunks_exact(literal + 1).map(move |case| (&case[..literal], case[literal]))
    }
}
