//! Functions that are called on some devices only, as sources with the headers of this project have them.

use std::fmt::Write;

use super::program::{Feature, Function};
use super::values::Type;

/// The option that makes all conditional calls and actions of a plain program happen, as they do in a module whose conditions are open.
pub const OPEN: &str = "-DOPEN";

/// The condition of a function as the header has it.
pub fn condition(function: &Function) -> String {
    let leaf = |(feature, has): &(Feature, bool)| {
        let positive = match feature {
            Feature::Float16 | Feature::Float64 => format!("DEVICE_HAS({})", feature.name()),
            Feature::Int16 | Feature::Int64 => format!("DEVICE_SUPPORTS({})", feature.name()),
        };
        if *has { positive } else { format!("DEVICE_NOT({positive})") }
    };
    let leaves = function.condition.iter().map(leaf);
    leaves.reduce(|all, next| format!("DEVICE_AND({all}, {next})")).unwrap_or_default()
}

/// A macro of the name of a conditional function, which calls it with some arguments before the others. PLAIN programs get the features of the
/// device as HAS_ macros; in OPEN ones, all calls happen.
pub fn call(function: &Function, first: &str) -> String {
    let name = &function.name;
    let leaf = |(feature, has): &(Feature, bool)| format!("(HAS_{} == {})", feature.name(), u32::from(*has));
    let plain: Vec<String> = function.condition.iter().map(leaf).collect();
    format!(
        "#ifdef OPEN\n#define {name}(...) {name}({first}__VA_ARGS__)\n\
         #elif defined(PLAIN)\n#define {name}(...) if ({}) {{ {name}({first}__VA_ARGS__); }}\n\
         #else\n#define {name}(...) IF_DEVICE({}, {name})({first}__VA_ARGS__)\n#endif\n",
        plain.join(" && "),
        condition(function),
    )
}

/// The syntax of functions in a language.
pub struct Syntax {
    /// A type.
    pub name: fn(Type) -> &'static str,
    /// A parameter of a type; true if the function changes it.
    pub parameter: fn(&str, &str, bool) -> String,
    /// A function of a name with these parameters, and its result.
    pub signature: fn(&str, &str, Option<&str>) -> String,
    /// Prefix of a function that is called on some devices only.
    pub prefix: &'static str,
}

/// A function. One that is called on some devices only is called by a macro of its name.
pub fn definition(function: &Function, body: &str, syntax: &Syntax) -> String {
    let mut text = String::new();
    if let Some(feature) = function.feature {
        let wide = (syntax.name)(Type::Wide(feature));
        let _ = writeln!(text, "#define WIDE {wide}\n#define TO_WIDE(x) {wide}(x)");
    }
    let parameters = function.parameters.iter().map(|(of, parameter, is_inout)| {
        let parameter = parameter.trim_start_matches("INNER(").trim_end_matches(')');
        (syntax.parameter)((syntax.name)(*of), parameter, *is_inout)
    });
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let name = &function.name;
    if function.condition.is_empty() {
        let _ = writeln!(text, "{}", (syntax.signature)(name, &parameters, function.result.map(syntax.name)));
    } else {
        let conditional = format!("IF_DEVICE({}, {name})", condition(function));
        let [plain, conditional] =
            [name, &conditional].map(|name| (syntax.signature)(name, &parameters, None));
        let _ = writeln!(text, "#ifdef PLAIN\n{plain}\n#else\n{}{conditional}\n#endif", syntax.prefix);
    }
    let prologue: String = function.prologue.iter().map(|line| format!("    {line}\n")).collect();
    let _ = writeln!(text, "{{\n{prologue}{body}    {}\n}}", function.end);
    if !function.condition.is_empty() {
        text += &call(function, "");
    }
    if function.feature.is_some() {
        text += "#undef WIDE\n#undef TO_WIDE\n";
    }
    text
}
