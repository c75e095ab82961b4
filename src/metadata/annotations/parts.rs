//! Parts of integer constants: bits, masks and values, as annotations name them.

use std::fmt;

use crate::condition::Expr;

/// The spellings of parts, for errors.
const SPELLINGS: &str = "`bit 3`, `bits 4-7`, `mask 0x30`, `value 2`, or `bits 4-7 value 2`";

/// A part of an integer constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantPart {
    /// The bits; `None` for all bits of the constant.
    pub mask: Option<u64>,
    /// The number that these bits have where the condition holds, with its sign extended; `None` for bits that are all set there, and all
    /// clear elsewhere.
    pub value: Option<i128>,
    /// The text in the file.
    pub text: String,
}

/// The condition of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartCondition {
    /// The condition.
    pub condition: Expr,
    /// True if the host decides about the part where the condition holds. Otherwise the part is set there.
    pub is_choice: bool,
}

impl ConstantPart {
    /// Reads the key of an entry.
    ///
    /// # Errors
    /// In words, if the text names no part.
    pub fn parse(text: &str) -> Result<ConstantPart, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let part = match words[..] {
            ["bit", bit] => bits(bit, bit).map(|mask| (Some(mask), None)),
            ["bits", range] => range_of(range).map(|mask| (Some(mask), None)),
            ["mask", mask] => {
                number(mask).and_then(|mask| u64::try_from(mask).ok()).map(|mask| (Some(mask), None))
            }
            ["value", value] => number(value).map(|value| (None, Some(value))),
            ["bits", range, "value", value] => {
                range_of(range).zip(number(value)).and_then(|(mask, value)| {
                    let placed = value.checked_shl(mask.trailing_zeros())?;
                    (value >= 0 && placed & !i128::from(mask) == 0).then_some((Some(mask), Some(placed)))
                })
            }
            _ => None,
        };
        let (mask, value) = part
            .filter(|&(mask, _)| mask != Some(0))
            .ok_or_else(|| format!("`{text}` is not part of a constant: write {SPELLINGS}"))?;
        Ok(ConstantPart { mask, value, text: words.join(" ") })
    }
}

impl fmt::Display for ConstantPart {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns the mask of a range of bits, such as `4-7`.
fn range_of(text: &str) -> Option<u64> {
    let (first, last) = text.split_once('-')?;
    bits(first, last)
}

/// Returns the mask of the bits from one to another.
fn bits(first: &str, last: &str) -> Option<u64> {
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last && last < 64).then(|| (u64::MAX >> (63 - last)) & (u64::MAX << first))
}

/// Returns a number, decimal or hexadecimal.
fn number(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(i128::from),
        None => text.parse().ok().filter(|&number| (i64::MIN.into()..=u64::MAX.into()).contains(&number)),
    }
}
