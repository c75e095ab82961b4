//! The operands of execution modes and decorations, from the values of properties, and the names of the enumerants among these.

use std::fmt::{self, Write};

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};

use crate::analysis::requirements::enumerants;
use crate::analysis::sycl::properties::dimensions;
use crate::loader::{grammar, literal};

/// Returns the items that a template of the table makes of a value; `None` if no instruction exists for it.
///
/// # Errors
/// The form that the value should have.
pub fn items(template: &str, values: &[String], name: &str) -> Result<Option<Vec<String>>, &'static str> {
    let mut items = Vec::new();
    let number = || match values {
        [value] => value.parse::<i64>().map_err(|_| "a number"),
        _ => Err("a number"),
    };
    let truth = || match values {
        [] => Ok(true),
        [value] => match value.as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            value => value.parse::<i64>().map(|number| number != 0).map_err(|_| "true, false or a number"),
        },
        _ => Err("true, false or a number"),
    };
    for token in template.split(' ') {
        match token {
            "value" => items.extend(values.iter().cloned()),
            "sizes" => {
                let sizes = dimensions(values).ok_or("one to three sizes")?;
                items.extend(sizes.map(|size| size.to_string()));
            }
            "numeric" => match number()? {
                0 | -1 | 0xffff_ffff => return Ok(None),
                number => items.push(number.to_string()),
            },
            "positive" => match number()? {
                ..=0 => return Ok(None),
                number => items.push(number.to_string()),
            },
            "power" => match number()? {
                number @ 1.. if number.cast_unsigned().is_power_of_two() => items.push(number.to_string()),
                _ => return Err("a power of two"),
            },
            "flag" => match truth()? {
                true => {}
                false => return Ok(None),
            },
            "nonzero" => items.push(u32::from(truth()?).to_string()),
            "name" => items.push(name.to_owned()),
            names if names.contains('|') => items.push(number_in(names, values)?),
            literal => items.push(literal.to_owned()),
        }
    }
    Ok(Some(items))
}

/// Returns the number of a name in a list such as `read:1|write:2`, or of its position there.
fn number_in(names: &str, values: &[String]) -> Result<String, &'static str> {
    let [value] = values else { return Err("one of the names that it has") };
    let mut names = names.split('|').filter_map(|name| name.split_once(':')).enumerate();
    let named = names.find(|(position, (name, _))| name == value || position.to_string() == *value);
    named.map(|(_, (_, number))| number.to_owned()).ok_or("one of the names that it has")
}

/// Returns the words of operands that the grammar describes.
///
/// # Errors
/// The form that the operands should have.
pub fn words(operands: &[LogicalOperand], items: &[String]) -> Result<Vec<u32>, String> {
    let mut words = Vec::new();
    let mut rest = items.iter();
    for operand in operands {
        let repeats = operand.quantifier == OperandQuantifier::ZeroOrMore;
        let mut is_first = true;
        while repeats || is_first {
            let Some(item) = rest.next() else {
                if operand.quantifier == OperandQuantifier::One {
                    return Err(format!("{} operands", operands.len()));
                }
                break;
            };
            words.extend(one(operand.kind, item)?);
            is_first = false;
        }
    }
    match rest.next() {
        None => Ok(words),
        Some(_) => Err(match operands.len() {
            0 => "no value".to_owned(),
            count => format!("{count} operands"),
        }),
    }
}

fn one(kind: OperandKind, item: &str) -> Result<Vec<u32>, String> {
    Ok(match kind {
        OperandKind::LiteralInteger => {
            let number = match item {
                "true" => Some(1),
                "false" => Some(0),
                _ => item.parse::<u32>().ok().or_else(|| Some(item.parse::<i32>().ok()?.cast_unsigned())),
            };
            vec![number.ok_or("a 32-bit integer")?]
        }
        OperandKind::LiteralFloat => {
            vec![item.parse::<f32>().map_err(|_| "a floating-point number")?.to_bits()]
        }
        OperandKind::LiteralString if item.contains('\0') => return Err("text without NUL".to_owned()),
        OperandKind::LiteralString => literal(item),
        OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics => {
            return Err("no ids, which properties cannot name".to_owned());
        }
        kind => {
            let number =
                item.parse().ok().filter(|&number| enumerants(kind).any(|(known, _)| known == number));
            vec![
                number
                    .or_else(|| number_of(kind, item))
                    .ok_or_else(|| format!("one of SPIR-V's {kind:?}"))?,
            ]
        }
    })
}

/// The written words, compared with a name.
struct RemainingName<'n>(Option<&'n str>);

impl Write for RemainingName<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.and_then(|left| left.strip_prefix(text));
        self.0.map(|_| ()).ok_or(fmt::Error)
    }
}

macro_rules! kinds {
    ($($kind:ident)*) => {
        /// Writes the name of an enumerant, if it has one. For a mask, `number` is one of its bits.
        fn write_name(kind: OperandKind, number: u32, out: &mut dyn Write) -> Option<fmt::Result> {
            let written = match kind {
                OperandKind::FPFastMathMode => spirv::FPFastMathMode::from_bits(number).map(|value| write!(out, "{value:?}")),
                $(OperandKind::$kind => spirv::$kind::from_u32(number).map(|value| write!(out, "{value:?}")),)*
                _ => None,
            };
            written.or_else(|| grammar::newer_name(kind, number).map(|name| out.write_str(name)))
        }
    };
}

/// Returns the name of an enumerant. For a mask, `number` is one of its bits.
pub fn name_of(kind: OperandKind, number: u32) -> Option<String> {
    let mut name = String::new();
    write_name(kind, number, &mut name)?.ok().map(|()| name)
}

kinds! {
    ExecutionMode Decoration AccessQualifier BuiltIn FPDenormMode FPOperationMode FPRoundingMode
    FunctionParameterAttribute HostAccessQualifier InitializationModeQualifier LinkageType LoadCacheControl
    NamedMaximumNumberOfRegisters StoreCacheControl
}

/// Returns the names of all execution modes, decorations or other enumerants.
pub fn names_of(kind: OperandKind) -> impl Iterator<Item = String> {
    enumerants(kind).filter_map(move |(number, _)| name_of(kind, number))
}

/// Returns the number of an execution mode, a decoration or another enumerant, by its name.
pub fn number_of(kind: OperandKind, name: &str) -> Option<u32> {
    let has_name = |number: &u32| {
        let mut left = RemainingName(Some(name));
        write_name(kind, *number, &mut left).is_some_and(|written| written.is_ok()) && left.0 == Some("")
    };
    enumerants(kind).map(|(number, _)| number).find(has_name).or_else(|| grammar::aliased(kind, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::grammar;

    fn items_of(template: &str, values: &[&str]) -> Result<Option<Vec<String>>, &'static str> {
        items(template, &values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>(), "table")
    }

    fn some(items: &[&str]) -> Result<Option<Vec<String>>, &'static str> {
        Ok(Some(items.iter().map(|&item| item.to_owned()).collect()))
    }

    #[test]
    fn templates() {
        assert_eq!(items_of("sizes", &["2", "16"]), some(&["16", "2", "1"]));
        assert_eq!(items_of("sizes", &[]), Err("one to three sizes"));
        assert_eq!(items_of("numeric", &["16"]), some(&["16"]));
        for named in ["0", "-1", "4294967295"] {
            assert_eq!(items_of("numeric", &[named]), Ok(None));
        }
        assert_eq!(items_of("flag 4", &[]), some(&["4"]));
        assert_eq!(items_of("flag 4", &["true"]), some(&["4"]));
        assert_eq!(items_of("flag 4", &["false"]), Ok(None));
        assert_eq!(items_of("flag", &["maybe"]), Err("true, false or a number"));
        assert_eq!(items_of("nonzero", &["-1"]), some(&["1"]));
        assert_eq!(items_of("positive", &["-1"]), Ok(None));
        let host = "read:1|write:2|read_write:3|none:0 name";
        assert_eq!(items_of(host, &["read"]), some(&["1", "table"]));
        assert_eq!(items_of(host, &["0"]), some(&["1", "table"]), "DPC++'s number of `read`");
        assert_eq!(items_of(host, &["3"]), some(&["0", "table"]));
        assert_eq!(items_of(host, &["all"]), Err("one of the names that it has"));
    }

    #[test]
    fn literals_of_every_kind() {
        let parameters = |decoration: spirv::Decoration| {
            grammar::parameters(OperandKind::Decoration, decoration as u32).unwrap()
        };
        let words = |decoration, items: &[&str]| {
            super::words(
                parameters(decoration),
                &items.iter().map(|&item| item.to_owned()).collect::<Vec<_>>(),
            )
        };
        use spirv::Decoration as D;
        assert_eq!(words(D::Alignment, &["16"]), Ok(vec![16]));
        assert_eq!(words(D::Alignment, &["-1"]), Ok(vec![u32::MAX]));
        assert_eq!(words(D::Alignment, &["true"]), Ok(vec![1]));
        assert_eq!(words(D::Alignment, &[]), Err("1 operands".to_owned()));
        assert_eq!(words(D::Alignment, &["1", "2"]), Err("1 operands".to_owned()));
        assert_eq!(words(D::Restrict, &["1"]), Err("no value".to_owned()));
        assert_eq!(words(D::FPMaxErrorDecorationINTEL, &["0.500000"]), Ok(vec![0.5f32.to_bits()]));
        assert_eq!(
            words(D::HostAccessINTEL, &["1", "table"]),
            Ok(vec![1, 0x6c62_6174, 0x0000_0065]),
            "an enumerant and a string"
        );
        assert!(words(D::AlignmentId, &["1"]).unwrap_err().contains("ids"));
        assert_eq!(words(D::BankBitsINTEL, &["1", "2", "3"]), Ok(vec![1, 2, 3]));
    }

    /// Checks that names of enumerants are those of rspirv, if it has them.
    #[test]
    fn all_that_properties_become_has_names() {
        let kinds =
            [OperandKind::ExecutionMode, OperandKind::Decoration].into_iter().flat_map(grammar::all_kinds);
        for kind in kinds.filter(|&kind| grammar::is_enumerated(kind)) {
            assert!(
                enumerants(kind).map(|member| member.0).eq(grammar::members(kind).map(|member| member.0)),
                "{kind:?}"
            );
            for (number, _) in enumerants(kind) {
                let name = name_of(kind, number).unwrap();
                if let Some(known) = grammar::from_rspirv(kind, number) {
                    assert_eq!(name, known.to_string());
                }
                assert_eq!(number_of(kind, &name), Some(number));
            }
        }
    }
}
