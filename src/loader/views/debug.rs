//! Extended instructions that the tool reads. None of these views checks the instruction: the caller has to know the set
//! from the imports of the module, by [`ExtInst::set`](super::ExtInst::set) and
//! [`ExtInst::instruction`](super::ExtInst::instruction).
//!
//! The operands are those of NonSemantic.Shader.DebugInfo.100, OpenCL.DebugInfo.100 and DebugInfo, where these agree; numbers are ids of
//! constants in the first and literals in the others.

views! {
    /// The scope of what follows.
    DebugScope { scope: word 5 }

    /// A source file.
    DebugSource { file: word 5 }

    /// A source position.
    DebugLine { source: word 5, line_start: word 6, line_end: word 7, column_start: word 8 }

    /// A function of the source; the last is the OpFunction, in the sets that have it here.
    DebugFunction { name: word 5, source: word 7, line: word 8, column: word 9, function: word 14 }

    /// A variable or constant of the source, which the last is in the module.
    DebugGlobalVariable { variable: word 12 }

    /// The relation of a DebugFunction to the OpFunction that this stands in.
    DebugFunctionDefinition { function: word 5 }

    /// A block of the source.
    DebugLexicalBlock { source: word 5, line: word 6, column: word 7, parent: word 8 }

    /// A part of a block of the source.
    DebugLexicalBlockDiscriminator { source: word 5, discriminator: word 6, parent: word 7 }

    /// An entry point of the source.
    DebugEntryPoint { entry_point: word 5 }

    /// A kernel (NonSemantic.ClspvReflection); the name is the id of an OpString.
    ReflectedKernel { function: word 5, name: word 6 }
}
