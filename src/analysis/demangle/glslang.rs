//! Names of functions as glslang writes them: the name, an opening parenthesis, and per parameter a code and a semicolon.
//!
//! glslang documents the codes only in its source (`TType::buildMangledName`): `u1` is a uint, `vf162` an f16vec2, `mf34` a
//! mat3x4. Scalars, vectors, matrices and arrays of them are read; other types (structs, images and so on) are not.

use std::fmt::Write;

/// glslang's code of a scalar type, GLSL's name for it, and what GLSL writes before `vec` or `mat`.
const SCALARS: [(&str, &str, &str); 13] = [
    ("f", "float", ""),
    ("i", "int", "i"),
    ("u", "uint", "u"),
    ("b", "bool", "b"),
    ("d", "double", "d"),
    ("f16", "float16_t", "f16"),
    ("bf16", "bfloat16_t", "bf16"),
    ("i8", "int8_t", "i8"),
    ("u8", "uint8_t", "u8"),
    ("i16", "int16_t", "i16"),
    ("u16", "uint16_t", "u16"),
    ("i64", "int64_t", "i64"),
    ("u64", "uint64_t", "u64"),
];

/// Splits a name of this form into the function's name and the codes of its parameters.
pub(super) fn split(raw: &str) -> Option<(&str, impl Iterator<Item = &str>)> {
    let (name, parameters) = raw.split_once('(')?;
    let is_signature = parameters.is_empty() || parameters.ends_with(';');
    (is_signature && !name.is_empty()).then(|| (name, parameters.split_terminator(';')))
}

/// Returns the signature as GLSL would write it: `sum(uint, f16vec2)`, or `sum(...)` if some parameter is of another kind of type.
pub(super) fn signature(raw: &str) -> Option<String> {
    let (name, parameters) = split(raw)?;
    let types: Option<Vec<String>> = parameters.map(type_name).collect();
    Some(format!("{name}({})", types.map_or("...".to_string(), |types| types.join(", "))))
}

fn type_name(code: &str) -> Option<String> {
    let (element, lengths) = code.split_at(code.find('[').unwrap_or(code.len()));
    let (form, code) = match element.as_bytes().first()? {
        form @ (b'v' | b'm') => (*form, &element[1..]),
        _ => (b's', element),
    };
    // The last digits are the shape: a scalar's is 1. The code is unambiguous, since a shape has a fixed number of digits.
    let (code, shape) = code.split_at_checked(code.len().checked_sub(if form == b'm' { 2 } else { 1 })?)?;
    let &(_, scalar, prefix) = SCALARS.iter().find(|(known, ..)| *known == code)?;
    let mut name = match (form, shape.as_bytes()) {
        (b's', b"1") => scalar.to_string(),
        (b'v', b"2" | b"3" | b"4") => format!("{prefix}vec{shape}"),
        (b'm', &[columns @ b'2'..=b'4', rows @ b'2'..=b'4']) if columns == rows => {
            format!("{prefix}mat{}", &shape[1..])
        }
        (b'm', &[columns @ b'2'..=b'4', rows @ b'2'..=b'4']) => {
            format!("{prefix}mat{}x{}", char::from(columns), char::from(rows))
        }
        _ => return None,
    };
    if !lengths.is_empty() && !lengths.ends_with(']') {
        return None;
    }
    for length in lengths.split_terminator(']') {
        // A length that is a specialization constant is written as a number of glslang's own.
        let length = length.strip_prefix('[')?;
        let is_number = length.bytes().all(|byte| byte.is_ascii_digit());
        let _ = write!(name, "[{}]", if is_number { length } else { "" });
    }
    Some(name)
}
