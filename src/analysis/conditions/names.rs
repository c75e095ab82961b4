//! Names of conditional callers, and the conditions in them.
//!
//! An optimizer may remove the arguments of a call, but it keeps the name of the callee.

use std::borrow::Cow;

use memchr::memmem;

use crate::condition::{ConditionError, DRIVER, Expr, FeatureName, Leaf, Limit, Name, parse_number};
use crate::device::architectures;
use crate::loader::Module;

/// The name of a conditional caller in source (docs/design/device-if.md, "Changes to the device headers").
const CALLER: &str = "call_if_on_device_conditionally";
/// Name of a conditional caller whose calls are ordinary.
const ACTION: &str = "action";
/// The name of a function that calls its argument on the host only (docs/design/if-device.md, "Device headers").
const HOST_CALLER: &str = "call_if_on_host";
/// The property of a host caller, by which the passes of the design recognize it.
pub(crate) const ON_HOST: &str = "sycl-call-if-on-host";
/// The property of a conditional caller, by which the design's passes recognize it (docs/design/device-if.md, "Changes to the device headers").
pub(crate) const ON_DEVICE_CONDITIONALLY: &str = "sycl-call-if-on-device-conditionally";
/// The helper of the design's headers that unpacks a sequence of integers (docs/design/device-if.md, "Changes to the device
/// headers"). Its calls are ordinary.
const HELPER: &str = "call_if_on_device_conditionally_helper";

/// The name of a conditional caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConditionName {
    /// The condition in it.
    pub carried: CarriedCondition,
}

/// The condition in a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CarriedCondition {
    /// No condition.
    Nothing,
    /// The condition, as a series of integers. A series in template arguments is not checked further.
    Series(Vec<i32>),
    /// A beginning of a condition; the rest of the name, which does not continue it.
    Unreadable(String),
    /// A condition that holds on no device: only the host takes the call.
    Never,
}

impl ConditionName {
    /// Reads a function's name in any mangling. Of a name in the Itanium C++ ABI's mangling, it reads only the base name and the template
    /// arguments after it: the caller's name also occurs in template arguments and in the names of its local entities. Returns `None` if
    /// the function is not a conditional caller.
    pub fn read(name: &str) -> Option<ConditionName> {
        let (base_name, after) = match name.strip_prefix("_Z") {
            Some(mangled) => mangled_name(mangled)?,
            None => {
                let rest = &name[name.find(CALLER).or_else(|| name.find(HOST_CALLER))?..];
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                (&rest[..end], "")
            }
        };
        if base_name == HOST_CALLER {
            return Some(ConditionName { carried: CarriedCondition::Never });
        }
        let suffix = base_name.strip_prefix(CALLER).filter(|_| base_name != HELPER)?;
        let carried = match template_arguments(after) {
            values if !values.is_empty() => CarriedCondition::Series(values),
            _ => identifier(suffix),
        };
        Some(ConditionName { carried })
    }

    /// Reads the name of a function that a property makes a conditional caller. Template arguments with any other name may mean something else: they
    /// are the condition only if they are a Condition Expression.
    pub fn read_any(name: &str) -> ConditionName {
        ConditionName::read(name).unwrap_or_else(|| {
            let mangled = name.strip_prefix("_Z").and_then(mangled_name);
            let values = mangled.map_or(Vec::new(), |(_, after)| template_arguments(after));
            let is_condition = read_series(&values).is_ok();
            ConditionName {
                carried: if is_condition {
                    CarriedCondition::Series(values)
                } else {
                    CarriedCondition::Nothing
                },
            }
        })
    }
}

/// Reads a condition in code. DPC++'s `if_architecture_is` passes numbers of its own for architectures.
pub(crate) fn read_series(values: &[i32]) -> Result<Expr, ConditionError> {
    Expr::from_foreign_series(values, &architectures::from_dpcpp)
}

/// Returns false if nothing in a module can be a conditional caller: the bytes of its name or property are nowhere among names and decorations.
pub(crate) fn may_name_callers(module: &Module) -> bool {
    may_have_caller(module.annotations().words())
}

/// Returns false if words have the bytes of no caller's name or property.
pub(crate) fn may_have_caller(words: &[u32]) -> bool {
    // Where the bytes of a string do not lie as they are written, each name is read.
    let bytes = bytemuck::cast_slice(words);
    let has = |name: &str| memmem::find(bytes, name.as_bytes()).is_some();
    let names = [CALLER, HOST_CALLER, ON_HOST, ON_DEVICE_CONDITIONALLY];
    cfg!(target_endian = "big") || names.into_iter().any(has)
}

/// Returns the name of an ordinary function for a conditional caller, with `action` in place of the caller's part. Other names stay.
pub fn ordinary(name: &str) -> Cow<'_, str> {
    if ConditionName::read(name).is_none() {
        return Cow::Borrowed(name);
    }
    let is_mangled = name.starts_with("_Z");
    let (mut ordinary, mut rest) = (String::with_capacity(name.len()), name);
    while let Some((at, caller)) = first_caller(rest) {
        let (before, after) = (&rest[..at], &rest[at + caller.len()..]);
        let prefix = before.trim_end_matches(|c: char| c.is_ascii_digit());
        // An identifier in a mangled name begins with its length, and is a caller only if it begins with the caller's part.
        let length =
            before[prefix.len()..].parse().ok().and_then(|length: usize| length.checked_sub(caller.len()));
        match length {
            Some(length) if is_mangled => {
                ordinary.extend([prefix, &(length + ACTION.len()).to_string(), ACTION])
            }
            None if is_mangled => ordinary.extend([before, caller]),
            _ => ordinary.extend([before, ACTION]),
        }
        rest = after;
    }
    ordinary.push_str(rest);
    Cow::Owned(ordinary)
}

/// Returns the first place of a conditional caller's part in a text, and that part.
fn first_caller(text: &str) -> Option<(usize, &'static str)> {
    let found = [CALLER, HOST_CALLER].map(|caller| Some((text.find(caller)?, caller)));
    found.into_iter().flatten().min_by_key(|&(at, _)| at)
}

/// Returns the integers with which a list of template arguments begins, a pack of them or single ones.
fn template_arguments(mangled: &str) -> Vec<i32> {
    let mut values = Vec::new();
    let Some(mut rest) = mangled.strip_prefix('I') else { return values };
    rest = rest.strip_prefix('J').unwrap_or(rest);
    while let Some((literal, after)) = rest.strip_prefix("Li").and_then(|rest| rest.split_once('E')) {
        let Some(value) = integer(literal) else { break };
        values.push(value);
        rest = after;
    }
    values
}

/// Returns the condition that follows the caller's name in an identifier: `_n1_5_sum` is -1, 5. The length of a Condition Expression follows
/// from its integers.
fn identifier(suffix: &str) -> CarriedCondition {
    let Some(mut rest) = suffix.strip_prefix('_') else { return CarriedCondition::Nothing };
    let mut values = Vec::new();
    // The number of expressions that must follow.
    let mut expected = 1;
    while expected > 0 {
        let (part, after) = rest.split_once('_').unwrap_or((rest, ""));
        let value = integer(part).filter(|value| *value < 0);
        let operands = value.and_then(|value| match value {
            -3 => Some(1),
            -4 | -5 => Some(2),
            -11..=-6 | -2 | -1 => Some(0),
            _ => None,
        });
        let (Some(value), Some(operands)) = (value, operands) else { return unreadable(&values, rest) };
        values.push(value);
        rest = after;
        if let (-7 | -8, Some((name, after))) = (value, name(part, rest)) {
            values.extend(name.to_words().into_iter().map(|word| word as i32));
            rest = after;
        } else if let (-11, Some((leaf, after))) = (value, feature(part, rest)) {
            values.extend(leaf.to_words().into_iter().map(|word| word as i32));
            rest = after;
        } else if operands == 0 {
            // The literals of a leaf with several follow their number.
            let mut numbers = if matches!(value, -10 | -9) { None } else { Some(1) };
            while numbers != Some(0) {
                let (part, after) = rest.split_once('_').unwrap_or((rest, ""));
                let is_number = |number: &i32| {
                    *number >= 0 || value == -2 && architectures::from_dpcpp(*number).is_some()
                };
                let Some(number) = integer(part).filter(is_number) else {
                    return unreadable(&values, rest);
                };
                values.push(number);
                rest = after;
                numbers = Some(numbers.map_or(number, |left| left - 1));
            }
        }
        expected = expected - 1 + operands;
    }
    CarriedCondition::Series(values)
}

/// Reads the name of a leaf between two nodes of its kind: `n8_fast_n8_sum`. Also returns the rest.
fn name<'t>(node: &str, rest: &'t str) -> Option<(Name, &'t str)> {
    let (name, rest) = text(node, rest)?;
    Some((Name::new(name)?, rest))
}

/// Text between the name of a number and its bound.
const REACHES: &str = ">=";

/// Reads a feature: the provider's name and its own, each before the node of its kind: `n11_amdgpu_n11_gfx12X2Dinsts_n11`. Characters
/// outside of identifiers are `X` and two capital hexadecimal digits. A number and its bound stand there likewise:
/// `n11_device_n11_subgroup_sizeX3EX3D32_n11`, `n11_driver_n11_qualcommX3EX3D512X2E744_n11`.
fn feature<'t>(node: &str, rest: &'t str) -> Option<(Leaf, &'t str)> {
    let (provider, rest) = text(node, rest)?;
    let (name, rest) = text(node, rest)?;
    let mut decoded = String::new();
    let mut left = name;
    while let Some(first) = left.chars().next() {
        let escaped = left.strip_prefix('X').and_then(|digits| digits.get(..2));
        let is_digit = |digit: char| digit.is_ascii_digit() || ('A'..='F').contains(&digit);
        let escaped = escaped.filter(|digits| digits.chars().all(is_digit));
        match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(character) => {
                decoded.push(char::from(character));
                left = &left[3..];
            }
            None => {
                decoded.push(first);
                left = &left[first.len_utf8()..];
            }
        }
    }
    let leaf = match decoded.split_once(REACHES) {
        Some((name, bound)) => {
            let name = FeatureName::new(provider, name)?;
            let bound = match provider {
                DRIVER => parse_number(name, bound)?.checked_add(1)?,
                _ => bound.parse().ok()?,
            };
            Leaf::Limit(Limit::new(name, bound)?)
        }
        None => Leaf::of_feature(FeatureName::new(provider, &decoded)?),
    };
    Some((leaf, rest))
}

/// Splits a text at a node: returns the parts before and after it.
fn text<'t>(node: &str, rest: &'t str) -> Option<(&'t str, &'t str)> {
    let (at, end) = rest.match_indices('_').find_map(|(at, _)| {
        let after = rest[at + 1..].strip_prefix(node)?;
        (after.is_empty() || after.starts_with(|c: char| !c.is_ascii_alphanumeric())).then_some((at, after))
    })?;
    Some((&rest[..at], end.strip_prefix('_').unwrap_or(end)))
}

/// Returns a name that is not a condition from `rest` on. If nothing before `rest` is a condition, the name is an
/// ordinary one.
fn unreadable(values: &[i32], rest: &str) -> CarriedCondition {
    if values.is_empty() { CarriedCondition::Nothing } else { CarriedCondition::Unreadable(rest.to_string()) }
}

/// Returns an integer as manglings write it: digits, with `n` for the minus.
fn integer(text: &str) -> Option<i32> {
    let (sign, digits) = match text.strip_prefix('n') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value: i64 = is_number.then(|| digits.parse().ok()).flatten()?;
    i32::try_from(sign * value).ok()
}

/// Returns the last component of an encoding's (nested) name, which is an `<unqualified-name>`, and what follows it: template arguments
/// and parameters.
fn mangled_name(encoding: &str) -> Option<(&str, &str)> {
    let (mut rest, nested) = match encoding.strip_prefix('N') {
        Some(rest) => (rest.trim_start_matches(['r', 'V', 'K', 'R', 'O']), true),
        None => (encoding, false),
    };
    let mut last = None;
    loop {
        // `L` marks what other translation units do not see.
        let name = rest.strip_prefix('L').unwrap_or(rest);
        let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let length: usize = name[..digits].parse().ok()?;
            let end = digits.checked_add(length)?;
            let part = name.get(digits..end)?;
            rest = &name[end..];
            last = Some((part, rest));
        } else if let Some(after) = rest.strip_prefix("St") {
            rest = after;
        } else {
            return last;
        }
        if !nested {
            return last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_are_no_conditional_callers() {
        let names = [
            ("call_if_on_device_conditionally_n1_5_sum(f1;", "action_n1_5_sum(f1;"),
            ("_Z36call_if_on_device_conditionally_halfPfii", "_Z11action_halfPfii"),
            (
                "_ZN8spirv_if6detailL31call_if_on_device_conditionallyIJLin1ELi6EEvRT0_",
                "_ZN8spirv_if6detailL6actionIJLin1ELi6EEvRT0_",
            ),
            ("call_if_on_device_conditionally_n1_5_call_if_on_device_conditionally", "action_n1_5_action"),
            (
                "_ZN31call_if_on_device_conditionally33call_if_on_device_conditionally_xIZ15call_if_on_hostvE1a",
                "_ZN6action8action_xIZ6actionvE1a",
            ),
            // The length is that of the whole identifier.
            (
                "_Z67call_if_on_device_conditionally_and_call_if_on_device_conditionallyv",
                "_Z42action_and_call_if_on_device_conditionallyv",
            ),
            ("call_if_on_host.1", "action.1"),
            ("call_if_on_device_conditionally_helper", "call_if_on_device_conditionally_helper"),
            ("sum", "sum"),
        ];
        for (name, expected) in names {
            assert_eq!(ordinary(name), expected);
            assert_eq!(ConditionName::read(expected), None);
        }
    }

    #[test]
    fn conditional_callers_are_recognized_by_their_own_name() {
        let yes = [
            "call_if_on_device_conditionally",
            "call_if_on_device_conditionally_9f3a_12",
            "call_if_on_device_conditionally_half(u1;u1;i1;",
            "_Z31call_if_on_device_conditionallyIiE",
            "_ZL31call_if_on_device_conditionallyIiE",
            "_Z36call_if_on_device_conditionally_halfPfii",
            // Numbered when modules were linked.
            "_Z36call_if_on_device_conditionally_halfPfii.1",
            "call_if_on_device_conditionally.1",
            "call_if_on_device_conditionally_half.2(u1;u1;i1;",
            "_ZN4sycl3ext6oneapi12experimental6detail31call_if_on_device_conditionallyIZ3fooE3$_0JiiEEEvT_DpT0_",
            "?call_if_on_device_conditionally@@YAXHH@Z",
            "call_if_on_device_conditionally_n_half",
            "call_if_on_device_conditionally_5_half",
        ];
        let no = [
            "call_if_on_device",
            "call_if_on_device_conditionally_helper",
            "call_if_on_device_conditionally_helper.1",
            "call_if_on_device_conditionally_helper(i1;",
            "_ZN6detail38call_if_on_device_conditionally_helperIZ3fooE3$_0JLin1ELi6EEEEvT_NS_6seriesIJXspT0_EEEE",
            // A lambda inside a caller, and a caller's type as a template argument.
            "_ZZN6detail31call_if_on_device_conditionallyIiEvT_ENKUlvE_clEv",
            "_Z3fooIXadL_Z31call_if_on_device_conditionallyvEEEvv",
            "_ZN6detail31call_if_on_device_conditionally5innerEv",
            "_ZN",
            "_Z99999999999999999999999x",
        ];
        for name in yes {
            assert_eq!(
                ConditionName::read(name),
                Some(ConditionName { carried: CarriedCondition::Nothing }),
                "{name}"
            );
        }
        for name in no {
            assert_eq!(ConditionName::read(name), None, "{name}");
        }
        for name in [
            "call_if_on_host",
            "call_if_on_host.1",
            "_ZN4sycl3ext6oneapi12experimental6detail15call_if_on_hostIZ3fooEUlvE_EEvT_",
        ] {
            assert_eq!(
                ConditionName::read(name),
                Some(ConditionName { carried: CarriedCondition::Never }),
                "{name}"
            );
        }
        for name in ["call_if_on_host_helper", "_ZNK4sycl22call_if_on_host_helper9otherwiseIZ3fooEUlvE_EEvT_"]
        {
            assert_eq!(ConditionName::read(name), None, "{name}");
        }
    }

    #[test]
    fn conditions_are_read_from_names() {
        let series: [(&str, &[i32]); 24] = [
            ("_ZN8spirv_if6detail31call_if_on_device_conditionallyIJLin1ELi5EEZ1kE3$_0EEvRT0_", &[-1, 5]),
            ("_Z31call_if_on_device_conditionallyIJLin3ELin2ELi20EEiEvRT0_", &[-3, -2, 20]),
            ("_ZL31call_if_on_device_conditionallyILin1ELi5EiEvT1_", &[-1, 5]),
            ("_ZL31call_if_on_device_conditionallyILin1ELi5EiEvT1_.1", &[-1, 5]),
            ("call_if_on_device_conditionally_n1_5.6", &[-1, 5]),
            ("call_if_on_device_conditionally_n1_5_sum.12", &[-1, 5]),
            ("call_if_on_device_conditionally_n1_5.6(u1;f1;", &[-1, 5]),
            // Integers of other types than `int` are not part of a condition.
            ("_Z31call_if_on_device_conditionallyILin1ELi65542ELl7EiEvT1_", &[-1, 65542]),
            ("call_if_on_device_conditionally_n1_5", &[-1, 5]),
            ("call_if_on_device_conditionally_n1_5_sum", &[-1, 5]),
            ("call_if_on_device_conditionally_n1_5_n3_n1_6", &[-1, 5]),
            ("call_if_on_device_conditionally_n3_n1_5_sum(u1;f1;", &[-3, -1, 5]),
            (
                "call_if_on_device_conditionally_n4_n3_n1_5_n5_n2_20_n6_9_7th",
                &[-4, -3, -1, 5, -5, -2, 20, -6, 9],
            ),
            ("_Z44call_if_on_device_conditionally_n3_n1_6_halfPf", &[-3, -1, 6]),
            ("call_if_on_device_conditionally_n1_2147483647_", &[-1, i32::MAX]),
            ("call_if_on_device_conditionally_n8_fast_n8_sum", &[-8, 4, i32::from_le_bytes(*b"fast")]),
            (
                "call_if_on_device_conditionally_n4_n3_n8_a_n8_n7_SPV_n7_sum",
                &[-4, -3, -8, 1, 97, -7, 3, 0x565053],
            ),
            // A name may have underscores and digits, but not what ends it.
            ("call_if_on_device_conditionally_n8_x_n80_n8(u1;", &[-8, 5, i32::from_le_bytes(*b"x_n8"), 48]),
            ("_Z31call_if_on_device_conditionallyILin8ELi1ELi97EiEvT1_", &[-8, 1, 97]),
            // A number of DPC++.
            ("call_if_on_device_conditionally_n3_n2_n1073741824_sum", &[-3, -2, -1_073_741_824]),
            (
                "call_if_on_device_conditionally_n3_n11_ab_n11_cX2Dd_n11_sum",
                &[-3, -11, 2, 0x6261, 3, 0x64_2d63, 0],
            ),
            ("call_if_on_device_conditionally_n11_ab_n11_cX3EX3D64_n11_sum", &[-11, 2, 0x6261, 1, 0x63, 64]),
            ("call_if_on_device_conditionally_n11_ab_n11_9X2_n11", &[-11, 2, 0x6261, 3, 0x32_5839, 0]),
            (
                "call_if_on_device_conditionally_n4_n9_2_7_3_n10_4_2_3_174_60_9th",
                &[-4, -9, 2, 7, 3, -10, 4, 2, 3, 174, 60],
            ),
        ];
        for (name, values) in series {
            let carried = CarriedCondition::Series(values.to_vec());
            assert_eq!(ConditionName::read(name), Some(ConditionName { carried }), "{name}");
        }
        let unreadable = [
            ("call_if_on_device_conditionally_n1_SPIRV_IF_ASPECT_half_sum", "SPIRV_IF_ASPECT_half_sum"),
            ("call_if_on_device_conditionally_n4_n1_5_sum", "sum"),
            ("call_if_on_device_conditionally_n3_n12_5_sum", "n12_5_sum"),
            ("call_if_on_device_conditionally_n11_ab_n11_sum", "ab_n11_sum"),
            // No bound, one that is always reached, and one that does not fit.
            ("call_if_on_device_conditionally_n11_ab_n11_maxX3EX3D_n11_sum", "ab_n11_maxX3EX3D_n11_sum"),
            ("call_if_on_device_conditionally_n11_ab_n11_maxX3EX3D0_n11_sum", "ab_n11_maxX3EX3D0_n11_sum"),
            (
                "call_if_on_device_conditionally_n11_ab_n11_maxX3EX3D2147483648_n11_sum",
                "ab_n11_maxX3EX3D2147483648_n11_sum",
            ),
            ("call_if_on_device_conditionally_n9_2_7_sum", "sum"),
            ("call_if_on_device_conditionally_n9_2147483647_7", ""),
            ("call_if_on_device_conditionally_n8_fast_sum", "fast_sum"),
            ("call_if_on_device_conditionally_n1_n1_5", "n1_5"),
            ("call_if_on_device_conditionally_n2_n1_5", "n1_5"),
            ("call_if_on_device_conditionally_n1_2147483648_sum", "2147483648_sum"),
            ("call_if_on_device_conditionally_n1_99999999999999999999_sum", "99999999999999999999_sum"),
            ("call_if_on_device_conditionally_n1", ""),
            ("call_if_on_device_conditionally_n3", ""),
        ];
        for (name, rest) in unreadable {
            let carried = CarriedCondition::Unreadable(rest.to_string());
            assert_eq!(ConditionName::read(name), Some(ConditionName { carried }), "{name}");
        }
    }
}
