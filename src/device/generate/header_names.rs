//! Names in the headers for device code, which are generated from the tables.

use std::fmt::Write;

use crate::device::{NumberTable, architectures};

const NOTICE: &str =
    "// Written by `cargo run -p generate` from the tables in spec-extensions/. Do not edit.\n";

/// The check of names in macros.
const KNOWN: &str = "
// The number that one of these names stands for. Any other name is an error that shows it: only a number can follow the dot. glslang cannot
// paste a dot, and slangc only warns: there `spirv-if pack` reports the name.
#if defined(GL_core_profile) || defined(GL_compatibility_profile) || defined(GL_ES)
#define SPIRV_IF_KNOWN(name) name
#else
#define SPIRV_IF_KNOWN_FIRST(number, fraction) number
#define SPIRV_IF_KNOWN_NUMBER(number) SPIRV_IF_KNOWN_FIRST(number, .##number)
#define SPIRV_IF_KNOWN(name) SPIRV_IF_KNOWN_NUMBER(name)
#endif
";

/// Returns the fields of the rows of a table.
fn rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).skip(1);
    rows.map(|row| row.split(',').map(str::to_owned).collect()).collect()
}

/// Returns aspects and architectures, with aliases, and capabilities: name and number.
fn leaves() -> [Vec<(String, u32)>; 3] {
    let aspects: Vec<_> = rows(include_str!("../../../spec-extensions/aspects.csv"))
        .into_iter()
        .map(|row| (row[0].clone(), row[1].parse().unwrap()))
        .collect();
    let mut architectures: Vec<(String, u32)> =
        rows(include_str!("../../../spec-extensions/architectures.csv"))
            .into_iter()
            .map(|row| (row[0].clone(), row[1].parse().unwrap()))
            .collect();
    for alias in rows(include_str!("../../../spec-extensions/architecture-aliases.csv")) {
        let (_, number) = *architectures.iter().find(|(name, _)| *name == alias[1]).unwrap();
        architectures.push((alias[0].clone(), number));
    }
    let capability = |number| Some((NumberTable::Capabilities.name(number)?.to_owned(), number));
    let capabilities = (0..=u32::from(u16::MAX)).filter_map(capability).collect();
    [aspects, architectures, capabilities]
}

/// Returns the macros for all languages except C++: one for each name.
pub fn macros() -> String {
    let mut text = NOTICE.to_owned() + "#ifndef SPIRV_IF_NAMES\n#define SPIRV_IF_NAMES\n";
    for (kind, names) in ["ASPECT", "ARCHITECTURE", "CAPABILITY"].iter().zip(leaves()) {
        writeln!(text).unwrap();
        for (name, number) in names {
            writeln!(text, "#define SPIRV_IF_{kind}_{name} {number}").unwrap();
        }
    }
    text + KNOWN + "\n#endif\n"
}

/// Returns the enumerations for C++, and the values of macros of a compiler that knows its target.
pub fn enumerations() -> String {
    let [aspects, architectures, _] = leaves();
    let list = |names: &[(String, u32)]| {
        names.iter().map(|(name, number)| format!("    {name} = {number},\n")).collect::<String>()
    };
    let mut cases = String::new();
    let mut sycl = String::new();
    for architecture in architectures::all() {
        let is = architecture
            .target_macros()
            .iter()
            .map(|name| format!("SPIRV_IF_IS_1({name})"))
            .collect::<Vec<_>>();
        writeln!(cases, "    case {}: return {};", architecture.value, is.join(" || ")).unwrap();
        if let Some(number) = architecture.sycl64 {
            writeln!(sycl, "    case {number:#018x}: return {};", architecture.value).unwrap();
        }
    }
    let mut of_2026 = String::new();
    for row in rows(include_str!("../../../spec-extensions/aspects-dpcpp-2026.csv")) {
        let number: u32 = row[1].parse().unwrap();
        let renumbered = aspects.iter().find(|(name, _)| *name == row[0]).filter(|_| number >= 25);
        if let Some((_, our_number)) = renumbered {
            writeln!(of_2026, "    case {number}: return {our_number};").unwrap();
        }
    }
    let (mut known, mut is_aspect) = (String::new(), String::new());
    let mut numbers = Vec::new();
    for (name, number) in &aspects {
        if !numbers.contains(number) {
            numbers.push(*number);
            writeln!(is_aspect, "    case {number}:").unwrap();
            let (all, any) =
                (format!("__SYCL_ALL_DEVICES_HAVE_{name}__"), format!("__SYCL_ANY_DEVICE_HAS_{name}__"));
            writeln!(
                known,
                "    case {number}: return of_macros(SPIRV_IF_IS_1({all}), SPIRV_IF_IS_1({any}));"
            )
            .unwrap();
        }
    }
    include_str!("names.hpp.in")
        .replace("@NOTICE@\n", NOTICE)
        .replace("@ASPECTS@\n", &list(&aspects))
        .replace("@ARCHITECTURES@\n", &list(&architectures))
        .replace("@IS_TARGET@\n", &cases)
        .replace("@SYCL@\n", &sycl)
        .replace("@ASPECTS_2026@\n", &of_2026)
        .replace("@KNOWN@\n", &known)
        .replace("@IS_ASPECT@\n", &is_aspect)
        .replace("@COUNT@", &architectures::all().len().to_string())
}
