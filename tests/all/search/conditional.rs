//! Functions that are called on some devices only, as sources with the headers of this project have them.

use super::program::{Feature, Function};

/// The option that makes all conditional calls and actions of a plain program happen, as they do in a module whose conditions are open.
pub const OPEN: &str = "-DOPEN";

/// The condition of a function as the header has it.
pub fn condition(function: &Function) -> String {
    let leaf = |(feature, has): &(Feature, bool)| {
        let own = match feature {
            Feature::Float16 | Feature::Float64 => format!("DEVICE_HAS({})", feature.name()),
            Feature::Int16 | Feature::Int64 => format!("DEVICE_SUPPORTS({})", feature.name()),
        };
        if *has { own } else { format!("DEVICE_NOT({own})") }
    };
    let leaves = function.condition.iter().map(leaf);
    leaves.reduce(|all, next| format!("DEVICE_AND({all}, {next})")).unwrap_or_default()
}

/// A macro of the name of a conditional function, which calls it with some arguments before the others. PLAIN programs are told what the
/// device HAS_; in OPEN ones, all calls happen.
pub fn call(function: &Function, first: &str) -> String {
    let own = &function.name;
    let leaf = |(feature, has): &(Feature, bool)| format!("(HAS_{} == {})", feature.name(), u32::from(*has));
    let plain: Vec<String> = function.condition.iter().map(leaf).collect();
    format!(
        "#ifdef OPEN\n#define {own}(...) {own}({first}__VA_ARGS__)\n\
         #elif defined(PLAIN)\n#define {own}(...) if ({}) {{ {own}({first}__VA_ARGS__); }}\n\
         #else\n#define {own}(...) IF_DEVICE({}, {own})({first}__VA_ARGS__)\n#endif\n",
        plain.join(" && "),
        condition(function),
    )
}
