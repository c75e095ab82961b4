//! Strings as words.

/// A literal string in words (specification, 2.2.1 "Instructions"): what [`Instruction::string`](super::Instruction::string) reads.
pub fn literal(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() / 4 + 1) * 4, 0);
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}
