//! Views as tables: the name of an operand, its form, and its word.

/// Defines views. Each lists its opcodes, if it checks any, and its operands:
///
/// ```text
/// /// The type of pointers to values of one type.
/// TypePointer: TypePointer { id: word 1, storage_class: word 2, pointee: word 3 }
/// ```
///
/// An operand is one `word`, an `optional` word, all the `words` from one on, `pairs` of words, a `string`,
/// or the `op` with the number in a word. Opcodes after `or` have one more operand at the front, the id of
/// their `condition()`. The other operands are numbered as if they had none.
macro_rules! views {
    ($(
        $(#[$doc:meta])*
        $view:ident $(: $($op:ident)|+ $(, or $conditional:ident)?)? { $($field:ident: $form:ident $at:literal),* $(,)? }
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $view<'a>(pub crate::loader::Instruction<'a>);

            impl<'a> std::ops::Deref for $view<'a> {
                type Target = crate::loader::Instruction<'a>;
                #[inline]
                fn deref(&self) -> &Self::Target {
                    &self.0
                }
            }

            $(views!(@of $view $($op)+);)?
            views!(@shift $view $($($conditional)?)?);

            // A view has methods for all operands of its instruction, used or not.
            #[allow(dead_code)]
            impl<'a> $view<'a> {
                $(views!(@field $field $form $at);)*
            }
        )*

        /// The tables of this file.
        #[cfg(test)]
        pub(super) const TABLES: &[super::tests::ViewTable] = &[$(
            super::tests::ViewTable {
                view: stringify!($view),
                ops: &[$($(spirv::Op::$op,)+)?],
                conditional: &[$($(spirv::Op::$conditional)?)?],
                fields: &[$((stringify!($field), stringify!($form), $at),)*],
            },
        )*];
    };
    (@of $view:ident $($op:ident)+) => {
        // Every view with opcodes has this method, used or not.
        #[allow(dead_code)]
        impl<'a> $view<'a> {
            /// Returns the view of an instruction, if it has an opcode of this view.
            #[inline]
            pub fn new(inst: crate::loader::Instruction<'a>) -> Option<Self> {
                ($(inst.is(spirv::Op::$op))||+).then_some($view(inst))
            }
        }
    };
    (@shift $view:ident) => {
        #[allow(dead_code)]
        impl $view<'_> {
            /// Returns the number of words by which operands are shifted from their place in the table.
            #[inline]
            fn shift(self) -> usize {
                0
            }
        }
    };
    (@shift $view:ident $conditional:ident) => {
        #[allow(dead_code)]
        impl $view<'_> {
            /// Returns the number of words by which operands are shifted from their place in the table.
            #[inline]
            fn shift(self) -> usize {
                usize::from(self.is(spirv::Op::$conditional))
            }

            /// Returns the id of the Boolean constant that the instruction depends on, if it is conditional
            /// (SPV_INTEL_function_variants).
            #[inline]
            pub fn condition(self) -> Option<u32> {
                (self.shift() != 0).then(|| self.word(1))
            }
        }
    };
    (@field $field:ident word $at:literal) => {
        #[doc = concat!("Word ", $at, ".")]
        #[inline]
        pub fn $field(self) -> u32 {
            self.0.word(self.shift() + $at)
        }
    };
    (@field $field:ident optional $at:literal) => {
        #[doc = concat!("Word ", $at, ", if the instruction is that long.")]
        #[inline]
        pub fn $field(self) -> Option<u32> {
            self.0.words().get(self.shift() + $at).copied()
        }
    };
    (@field $field:ident words $at:literal) => {
        #[doc = concat!("The words from number ", $at, " on.")]
        #[inline]
        pub fn $field(self) -> &'a [u32] {
            self.0.words_from(self.shift() + $at)
        }
    };
    (@field $field:ident pairs $at:literal) => {
        #[doc = concat!("The pairs of words from number ", $at, " on; a last one without a second is left out.")]
        #[inline]
        pub fn $field(self) -> &'a [[u32; 2]] {
            self.0.words_from(self.shift() + $at).as_chunks().0
        }
    };
    (@field $field:ident string $at:literal) => {
        #[doc = concat!("The string that begins at word ", $at, ".")]
        #[inline]
        pub fn $field(self) -> std::borrow::Cow<'a, str> {
            self.0.string(self.shift() + $at)
        }
    };
    (@field $field:ident op $at:literal) => {
        #[doc = concat!("The opcode that word ", $at, " numbers, if the grammar knows it.")]
        #[inline]
        pub fn $field(self) -> Option<spirv::Op> {
            crate::loader::grammar::known_op(self.0.word(self.shift() + $at))
        }
    };
}
