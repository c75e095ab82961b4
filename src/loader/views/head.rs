//! The head of a module: capabilities, extensions, extended instruction sets, the memory model, entry points and execution modes.

views! {
    /// A capability that the module declares: OpCapability, or OpConditionalCapabilityINTEL with its condition.
    Capability: Capability | ConditionalCapabilityINTEL, or ConditionalCapabilityINTEL { capability: word 1 }

    /// An extension that the module declares: OpExtension, or OpConditionalExtensionINTEL with its condition.
    Extension: Extension | ConditionalExtensionINTEL, or ConditionalExtensionINTEL { name: string 1 }

    /// An import of an extended instruction set.
    ExtInstImport: ExtInstImport { id: word 1, name: string 2 }

    /// The addressing model and the memory model of a module.
    MemoryModel: MemoryModel { addressing_model: word 1, memory_model: word 2 }

    /// An entry point: OpEntryPoint, or OpConditionalEntryPointINTEL with its condition. See also `interface`.
    EntryPoint: EntryPoint | ConditionalEntryPointINTEL, or ConditionalEntryPointINTEL {
        execution_model: word 1, function: word 2, name: string 3,
    }

    /// An execution mode of an entry point (its function's id): OpExecutionMode, or OpExecutionModeId, whose operands are ids.
    ExecutionMode: ExecutionMode | ExecutionModeId { entry_point: word 1, mode: word 2, operands: words 3 }
}

impl<'a> EntryPoint<'a> {
    /// The number of the word at which the interface list begins, behind the name.
    pub fn interface_start(self) -> usize {
        let name = self.shift() + 3;
        let ends = |word: &u32| word.to_le_bytes().contains(&0);
        match self.words_from(name).iter().position(ends) {
            Some(last) => name + last + 1,
            None => self.words().len(),
        }
    }

    /// The ids of the variables in the interface list.
    pub fn interface(self) -> &'a [u32] {
        self.words_from(self.interface_start())
    }
}

impl ExecutionMode<'_> {
    /// True if it is this mode.
    #[inline]
    pub fn is_a(self, mode: spirv::ExecutionMode) -> bool {
        self.mode() == mode as u32
    }
}
