//! The instructions before the types of a module: capabilities, extensions, extended instruction sets, the
//! memory model, entry points and execution modes, debug instructions, names, decorations and their groups.

use std::borrow::Cow;

use spirv::Op;

use crate::loader::Instruction;

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

    /// The entry point of a graph.
    GraphEntryPoint: GraphEntryPointARM { graph: word 1, name: string 2 }

    /// An execution mode of an entry point, which is named by its function's id: OpExecutionMode, or
    /// OpExecutionModeId, whose operands are ids.
    ExecutionMode: ExecutionMode | ExecutionModeId { entry_point: word 1, mode: word 2, operands: words 3 }

    /// A string that other instructions name.
    String: String { id: word 1, text: string 2 }

    /// A note on the module as a whole: OpModuleProcessed or OpSourceExtension.
    Note: ModuleProcessed | SourceExtension { text: string 1 }

    /// The source position of the following instructions. `file` is the id of an OpString.
    Line: Line { file: word 1, line: word 2, column: word 3 }

    /// The name of an id.
    Name: Name { target: word 1, name: string 2 }

    /// The name of a member of a structure type.
    MemberName: MemberName { structure: word 1, member: word 2, name: string 3 }

    /// A name or decoration of an id or of one of its members. The target is the first operand of each.
    Annotation: Name | MemberName | Decorate | DecorateId | DecorateString | MemberDecorate | MemberDecorateString {
        target: word 1,
    }

    /// The application of a decoration group: OpGroupDecorate or OpGroupMemberDecorate. See also `targets`.
    GroupDecorate: GroupDecorate | GroupMemberDecorate { group: word 1 }

    /// A decoration of an id, or of a member of a structure type: OpDecorate, OpDecorateId, OpDecorateString, OpMemberDecorate or
    /// OpMemberDecorateString.
    Decoration: Decorate | DecorateId | DecorateString | MemberDecorate | MemberDecorateString { target: word 1 }

    /// The OpDecorate that assigns a SpecId to a specialization constant (or a decoration group).
    SpecId { id: word 1, spec_id: word 3 }

    // Extended instructions that the tool reads. None of these views checks the instruction: the caller has
    // to know the set from the imports of the module, by `ExtInst::set` and `ExtInst::instruction`. The
    // operands are those on which NonSemantic.Shader.DebugInfo.100, OpenCL.DebugInfo.100 and DebugInfo agree.
    // Numbers are ids of constants in the first set and literals in the others.

    /// The scope of the following instructions.
    DebugScope { scope: word 5 }

    /// A source file.
    DebugSource { file: word 5 }

    /// A source position.
    DebugLine { source: word 5, line_start: word 6, line_end: word 7, column_start: word 8 }

    /// A function of the source. The last operand is the OpFunction, in sets that have it here.
    DebugFunction { name: word 5, source: word 7, line: word 8, column: word 9, function: word 14 }

    /// A variable or constant of the source. The last operand is its definition in the module.
    DebugGlobalVariable { variable: word 12 }

    /// The link from a DebugFunction to the OpFunction that contains this instruction.
    DebugFunctionDefinition { function: word 5 }

    /// A block of the source.
    DebugLexicalBlock { source: word 5, line: word 6, column: word 7, parent: word 8 }

    /// A part of a block of the source.
    DebugLexicalBlockDiscriminator { source: word 5, discriminator: word 6, parent: word 7 }

    /// An entry point of the source.
    DebugEntryPoint { entry_point: word 5 }

    /// A kernel (NonSemantic.ClspvReflection). The name is the id of an OpString.
    ReflectedKernel { function: word 5, name: word 6 }
}

impl<'a> EntryPoint<'a> {
    /// Returns the number of the first word of the interface list, after the name.
    pub fn interface_start(self) -> usize {
        let name = self.shift() + 3;
        let ends = |word: &u32| word.to_le_bytes().contains(&0);
        match self.words_from(name).iter().position(ends) {
            Some(last) => name + last + 1,
            None => self.words().len(),
        }
    }

    /// Returns the ids of the variables in the interface list.
    pub fn interface(self) -> &'a [u32] {
        self.words_from(self.interface_start())
    }
}

impl ExecutionMode<'_> {
    /// Returns true if it is this mode.
    #[inline]
    pub fn is_a(self, mode: spirv::ExecutionMode) -> bool {
        self.mode() == mode as u32
    }
}

impl<'a> GroupDecorate<'a> {
    /// Returns the ids that the group is applied to.
    pub fn targets(self) -> impl Iterator<Item = u32> + use<'a> {
        let step = if self.is(Op::GroupMemberDecorate) { 2 } else { 1 };
        self.words_from(2).iter().step_by(step).copied()
    }
}

impl<'a> Decoration<'a> {
    /// Returns the decoration of an id (not of a member of it) with this decoration.
    #[inline]
    pub fn with(inst: Instruction<'a>, decoration: spirv::Decoration) -> Option<Self> {
        let is_decoration = inst.word(2) == decoration as u32;
        (is_decoration && inst.decorates_id()).then_some(Decoration(inst))
    }

    #[inline]
    fn is_of_member(self) -> bool {
        matches!(self.op(), Some(Op::MemberDecorate | Op::MemberDecorateString))
    }

    /// Returns the number of the word that holds the decoration.
    #[inline]
    fn at(self) -> usize {
        2 + usize::from(self.is_of_member())
    }

    /// Returns the decorated member, for decorations of members.
    #[inline]
    pub fn member(self) -> Option<u32> {
        self.is_of_member().then(|| self.word(2))
    }

    /// Returns the decoration.
    #[inline]
    pub fn decoration(self) -> u32 {
        self.word(self.at())
    }

    /// Returns true if it is this decoration.
    #[inline]
    pub fn is_a(self, decoration: spirv::Decoration) -> bool {
        self.decoration() == decoration as u32
    }

    /// Returns the operands of the decoration.
    #[inline]
    pub fn operands(self) -> &'a [u32] {
        self.words_from(self.at() + 1)
    }

    /// Returns the first operand of the decoration.
    #[inline]
    fn operand(self) -> u32 {
        self.word(self.at() + 1)
    }

    /// Returns the built-in of a BuiltIn.
    #[inline]
    pub fn built_in(self) -> u32 {
        self.operand()
    }

    /// Returns true if it is BuiltIn with this built-in.
    #[inline]
    pub fn is_built_in(self, built_in: spirv::BuiltIn) -> bool {
        self.is_a(spirv::Decoration::BuiltIn) && self.built_in() == built_in as u32
    }

    /// Returns the condition of a ConditionalINTEL.
    #[inline]
    pub fn condition(self) -> u32 {
        self.operand()
    }

    /// Returns the string of a UserSemantic, or of another decoration that begins with one: the name of
    /// LinkageAttributes.
    pub fn text(self) -> Cow<'a, str> {
        self.string(self.at() + 1)
    }

    /// Returns the linkage type of LinkageAttributes, its last operand.
    pub fn linkage_type(self) -> u32 {
        self.operands().last().copied().unwrap_or(0)
    }
}

impl<'a> SpecId<'a> {
    /// Returns the view of an OpDecorate with SpecId.
    #[inline]
    pub fn new(inst: Instruction<'a>) -> Option<Self> {
        Decoration::with(inst, spirv::Decoration::SpecId).map(|decoration| SpecId(decoration.0))
    }
}
