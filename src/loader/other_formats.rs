//! Files in other formats, from which a module can be made.

use std::sync::LazyLock;

use crate::text::csv;

/// A format that is not SPIR-V's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherFormat {
    /// Name, with an article if it has one.
    pub name: &'static str,
    /// Instructions for making a module.
    pub advice: &'static str,
    /// True if a file of the format may contain modules.
    pub has_modules: bool,
}

/// The formats with the first bytes of their files; `None` for any byte.
static TABLE: LazyLock<Vec<(Vec<Option<u8>>, OtherFormat)>> = LazyLock::new(|| {
    let rows = csv::rows(include_str!("../../spec-extensions/other-formats.csv"));
    let format = |name, advice, inside| OtherFormat { name, advice, has_modules: inside == "modules" };
    rows.map(|[start, name, advice, inside]| (bytes(start), format(name, advice, inside))).collect()
});

const ASSEMBLY: OtherFormat =
    OtherFormat { name: "SPIR-V assembly", advice: "`spirv-as` makes a module of it", has_modules: false };

const TEXT: OtherFormat = OtherFormat {
    name: "text",
    advice: "compile it first, if it is the source of a shader or a kernel",
    has_modules: false,
};

/// Number of bytes in which the first instruction of assembly is searched for, and which text has at its start.
const LOOKED_AT: usize = 4096;

/// Returns the format of these bytes, if it is known.
pub fn recognize(bytes: &[u8]) -> Option<OtherFormat> {
    let is_start = |start: &[Option<u8>]| {
        let equal = |(byte, known): (&u8, &Option<u8>)| known.is_none_or(|known| known == *byte);
        bytes.len() >= start.len() && bytes.iter().zip(start).all(equal)
    };
    let starts = TABLE.iter().find(|(start, _)| is_start(start));
    starts
        .map(|(_, format)| *format)
        .or_else(|| is_assembly(bytes).then_some(ASSEMBLY))
        .or_else(|| is_text(bytes).then_some(TEXT))
}

/// Returns true for UTF-8 without control characters except those of text. Only the start of the bytes is examined.
fn is_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    let text = match str::from_utf8(start) {
        Ok(text) => text,
        // The last character may be cut off.
        Err(error) if error.error_len().is_none() && start.len() < bytes.len() => {
            str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.is_empty() && !text.contains(|char: char| char.is_control() && !"\t\n\r\x0c".contains(char))
}

/// Returns true for text that starts with the comment of spirv-dis, or whose first line other than comments is an instruction.
fn is_assembly(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut lines = bytes[..bytes.len().min(LOOKED_AT)].split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find_map(|line| match line {
        [] => None,
        [b';', comment @ ..] if comment.trim_ascii().starts_with(b"SPIR-V") => Some(true),
        [b';', ..] => None,
        _ => Some(is_instruction(line)),
    }) == Some(true)
}

/// Returns true for a line such as `OpCapability Shader` or `%1 = OpTypeVoid`.
fn is_instruction(line: &[u8]) -> bool {
    let instruction = match line {
        [b'%', result @ ..] => {
            let equals = result.iter().position(|&byte| byte == b'=');
            equals.map_or(&[][..], |at| result[at + 1..].trim_ascii())
        }
        _ => line,
    };
    matches!(instruction, [b'O', b'p', b'A'..=b'Z', ..])
}

/// Parses a field of hexadecimal digits, with `..` for any byte.
fn bytes(digits: &str) -> Vec<Option<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| match pair {
        b".." => Some(None),
        _ => Some(Some(u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()?)),
    };
    pairs.filter_map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::Module;

    #[test]
    fn every_row_has_whole_bytes_and_what_to_do() {
        assert!(!TABLE.is_empty());
        let text = include_str!("../../spec-extensions/other-formats.csv");
        for ([digits, ..], (start, format)) in csv::rows::<4>(text).zip(TABLE.iter()) {
            assert!(!start.is_empty() && start.len() * 2 == digits.len(), "{digits}");
            assert!(!format.name.is_empty() && !format.advice.is_empty(), "{digits}");
        }
    }

    #[test]
    fn formats_are_named() {
        let error = |bytes: &[u8]| Module::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(error(b"\x1f\x8b\x08\0\0\0"), "not a SPIR-V module, but a gzip file: decompress it first");
        assert_eq!(error(b"PK\x03\x04...."), "not a SPIR-V module, but a zip file: unpack it first");
        assert!(error(b"\x28\xb5\x2f\xfd\0").contains("a zstd file"));
        assert_eq!(
            error(b"\0\0\x05\x71\x78\x9c\x8d\x52"),
            "not a SPIR-V module, but a shader pack of Qt (.qsb): `qsb -x` takes the SPIR-V module out of it (`qsb -d` lists what it has)"
        );
        assert!(!error(b"\0\0\x05\x71\x79\x9c\x8d\x52").contains("Qt"));
        assert!(!error(b"\0\0\x05\x71").contains("Qt"));
        let assembly = "not a SPIR-V module, but SPIR-V assembly: `spirv-as` makes a module of it";
        for text in [
            "; SPIR-V\n; Version: 1.0\n",
            "OpCapability Shader\n",
            "\u{feff}\n  ; a comment\r\n\r\n\t%1 = OpExtInstImport \"GLSL.std.450\"\r\n",
        ] {
            assert_eq!(error(text.as_bytes()), assembly, "{text:?}");
        }
        for text in [
            "; a comment only\n",
            "Operators\n",
            "%1 = 5\n",
            "%1 %2\n",
            "Some text: OpCapability\n",
            "\n\n\n\n",
            "#version 450\nvoid main() {}\n",
            &"ü".repeat(LOOKED_AT / 2 + 1),
            &format!("-{}", "ü".repeat(LOOKED_AT / 2 + 1)),
        ] {
            assert!(error(text.as_bytes()).contains("but text: compile it first"), "{text:?}");
        }
        for bytes in [&b"\x7f\x7f\x7f\x7f"[..], b"text\0text", b"\xfc\xfctext", b"\0\0\0\0"] {
            assert!(error(bytes).contains("instead of the magic number"), "{bytes:?}");
        }
    }
}
