//! Numbers of one to five bytes, seven bits in each, the lowest first.

/// Adds a number below 2^35.
#[cfg(feature = "write")]
pub fn push(stream: &mut Vec<u8>, mut number: u64) {
    debug_assert!(number < 1 << 35);
    while number >= 0x80 {
        stream.push(number as u8 | 0x80);
        number >>= 7;
    }
    stream.push(number as u8);
}

/// Takes a number from the start of a stream; `None` if it does not end there or has more than five bytes.
#[inline]
pub fn take(stream: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = stream.split_first()?;
    *stream = rest;
    if first < 0x80 {
        return Some(first.into());
    }
    take_long(first, stream)
}

/// Takes the rest of a number that has several bytes.
#[inline]
fn take_long(first: u8, stream: &mut &[u8]) -> Option<u64> {
    let mut number = u64::from(first & 0x7f);
    for shift in [7, 14, 21, 28] {
        let (&byte, rest) = stream.split_first()?;
        *stream = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Maps a difference to a small number if it is near zero.
#[cfg(feature = "write")]
pub fn fold(difference: u32) -> u32 {
    (difference << 1) ^ ((difference as i32 >> 31) as u32)
}

/// Returns the difference of a number from `fold`.
#[inline]
pub fn unfold(number: u32) -> u32 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, u64::from(u32::MAX), (1 << 35) - 1] {
            let mut stream = Vec::new();
            push(&mut stream, number);
            let mut rest = &stream[..];
            assert_eq!((take(&mut rest), rest), (Some(number), &[][..]));
            assert_eq!(take(&mut &stream[..stream.len() - 1]), None);
        }
        assert_eq!(take(&mut &[0x80, 0x80, 0x80, 0x80, 0x80, 0][..]), None);
    }

    #[test]
    fn differences_come_back() {
        for difference in [0, 1, 2, u32::MAX, u32::MAX - 1, i32::MAX as u32, i32::MIN as u32] {
            assert_eq!(unfold(fold(difference)), difference);
        }
        assert_eq!([0, u32::MAX, 1, u32::MAX - 1].map(fold), [0, 1, 2, 3]);
    }
}
