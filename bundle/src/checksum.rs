//! Checksums: CRC-32 as in zlib and PNG.

/// Returns the checksum of bytes, with vector instructions.
#[cfg(feature = "crc32fast")]
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Returns the checksum of bytes, one after the other.
#[cfg(not(feature = "crc32fast"))]
pub fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum: u32, &byte| TABLE[usize::from(sum as u8 ^ byte)] ^ sum >> 8)
}

/// Remainders of bytes.
#[cfg(not(feature = "crc32fast"))]
static TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 * 8 {
        let (byte, bit) = (at / 8, at % 8);
        let before = if bit == 0 { byte as u32 } else { table[byte] };
        table[byte] = before >> 1 ^ if before & 1 == 1 { 0xedb8_8320 } else { 0 };
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_of_the_polynomial() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
        assert_eq!(checksum(b""), 0);
    }
}
