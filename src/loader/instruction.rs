use std::borrow::Cow;

use spirv::Op;

use super::grammar;

/// A view of the words of one instruction.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'a> {
    offset: u32,
    words: &'a [u32],
}

impl<'a> Instruction<'a> {
    /// Makes an instruction of its words, at an offset.
    pub fn new(offset: u32, words: &'a [u32]) -> Self {
        Instruction { offset, words }
    }

    /// Returns the start of the instruction, in words from the start of the module. It identifies the
    /// instruction.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// Returns the start of the next instruction, in words from the start of the module.
    pub fn end(&self) -> u32 {
        self.offset + self.words.len() as u32
    }

    /// Returns all words. The first of them holds word count and opcode.
    pub fn words(&self) -> &'a [u32] {
        self.words
    }

    /// Returns the opcode as it is encoded, even if the grammar does not have it.
    pub fn opcode(&self) -> u16 {
        self.words[0] as u16
    }

    /// Returns the opcode, if the grammar has it.
    #[inline]
    pub fn op(&self) -> Option<Op> {
        grammar::known_op(self.opcode().into())
    }

    /// Returns true if the instruction has this opcode.
    #[inline]
    pub fn is(&self, op: Op) -> bool {
        self.opcode() == op as u16
    }

    /// Returns word number `at` (0 is the word with the opcode). Past the end it is 0, which is never a valid
    /// id.
    #[inline]
    pub fn word(&self, at: usize) -> u32 {
        self.words.get(at).copied().unwrap_or(0)
    }

    /// Returns the words from number `at` on; empty if the instruction is shorter.
    pub fn words_from(&self, at: usize) -> &'a [u32] {
        self.words.get(at..).unwrap_or_default()
    }

    /// Returns the result id, if the instruction is in the grammar and has one.
    #[inline]
    pub fn result_id(&self) -> Option<u32> {
        let at = grammar::layout(self.opcode())?.result_word()?;
        self.words.get(at).copied()
    }

    /// Returns the id of the result type, if the instruction is in the grammar and has one.
    #[inline]
    pub fn result_type(&self) -> Option<u32> {
        if grammar::layout(self.opcode())?.has_type { self.words.get(1).copied() } else { None }
    }

    /// Returns the ids of the result type and of the result, if the instruction is in the grammar and has
    /// both.
    #[inline]
    pub fn typed_result(&self) -> Option<[u32; 2]> {
        let layout = grammar::layout(self.opcode())?;
        match self.words {
            &[_, type_, result, ..] if layout.has_type && layout.result_word().is_some() => {
                Some([type_, result])
            }
            _ => None,
        }
    }

    /// Returns true if the instruction ends a block.
    #[inline]
    pub fn ends_block(&self) -> bool {
        grammar::layout(self.opcode()).is_some_and(|layout| layout.ends_block)
    }

    /// Returns true if the instruction continues the definition before it, which has more operands than an instruction can have.
    #[inline]
    pub fn is_continuation(&self) -> bool {
        matches!(
            self.op(),
            Some(
                Op::TypeStructContinuedINTEL
                    | Op::ConstantCompositeContinuedINTEL
                    | Op::SpecConstantCompositeContinuedINTEL
                    | Op::CompositeConstructContinuedINTEL
            )
        )
    }

    /// Returns the literal string that starts at word number `at` (specification, 2.2.1 "Instructions": UTF-8
    /// octets, four per word, the lowest-order first, ended by a zero octet). Invalid UTF-8 is replaced, not
    /// refused.
    pub fn string(&self, at: usize) -> Cow<'a, str> {
        let words = self.words_from(at);
        match words.iter().position(|word| word.to_le_bytes().contains(&0)) {
            Some(last) if cfg!(target_endian = "little") => {
                let bytes: &[u8] = bytemuck::cast_slice(&words[..=last]);
                let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
                String::from_utf8_lossy(&bytes[..end])
            }
            last => {
                let words = last.map_or(words, |last| &words[..=last]);
                let bytes = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0);
                Cow::Owned(String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned())
            }
        }
    }

    /// Returns the name of the opcode as the specification writes it, or `Op<number>` if the grammar does not
    /// have it.
    pub fn name(&self) -> String {
        grammar::opcode_name(self.opcode())
    }
}

/// Iterator over the instructions in a range of words.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    /// The remaining words, and the offset of the first of them.
    words: &'a [u32],
    at: u32,
}

impl<'a> Instructions<'a> {
    /// Iterates over words that are whole instructions. `at` is the offset of the first.
    pub fn new(words: &'a [u32], at: u32) -> Instructions<'a> {
        Instructions { words, at }
    }

    /// Returns the remaining words.
    pub fn words(&self) -> &'a [u32] {
        self.words
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Instruction<'a>;

    #[inline]
    fn next(&mut self) -> Option<Instruction<'a>> {
        // Written for speed without optimization: tests spend a twelfth of their time here.
        let &[first, ..] = self.words else { return None };
        let (count, offset) = ((first >> 16) as usize, self.at);
        match (self.words.get(..count), self.words.get(count..)) {
            (Some(words), Some(rest)) => {
                (self.words, self.at) = (rest, offset + count as u32);
                Some(Instruction { offset, words })
            }
            _ => None,
        }
    }
}

/// Encodes a literal string (specification, 2.2.1 "Instructions");
/// [`Instruction::string`](super::Instruction::string) decodes it.
pub fn literal(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() / 4 + 1) * 4, 0);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_is_known() {
        for opcode in 0..=u16::MAX {
            let words = [u32::from(opcode) | 1 << 16];
            assert_eq!(Instruction::new(0, &words).op(), Op::from_u32(opcode.into()));
        }
    }
}
