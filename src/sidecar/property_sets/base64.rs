//! DPC++'s base64: the usual alphabet without padding, but the first character holds the *low* six bits of the first
//! byte, and so on upwards.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    let digit = |bits: u32| char::from(ALPHABET[(bits & 63) as usize]);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().rev().fold(0, |bits, byte| bits << 8 | u32::from(*byte));
        // One byte takes two digits, two take three, three take four.
        text.extend((0..=chunk.len()).map(|index| digit(bits >> (6 * index))));
    }
    text
}

pub(crate) fn decode(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0, 0);
    for character in text.chars() {
        let digit = ALPHABET.iter().position(|other| char::from(*other) == character);
        let digit = digit.ok_or_else(|| format!("`{character}` is not a base64 character"))?;
        bits |= (digit as u32) << count;
        count += 6;
        if count >= 8 {
            bytes.push(bits as u8);
            bits >>= 8;
            count -= 8;
        }
    }
    // Other remainders have a digit too many, or bits that belong to no byte: they would not be written back the same.
    if count == 6 || bits != 0 { Err("the base64 text ends within a byte".to_owned()) } else { Ok(bytes) }
}
