//! Short texts for SPIR-V modules. Lines may be in any order, since their opcodes determine their section.
//! The parts of every module are added: types and constants with well-known names, a memory model, the ends
//! of functions.
//!
//! Some lines are not SPIR-V. `KERNEL` makes it an OpenCL module. `INTERFACE %a %b` is the interface list of
//! the entry point `%main`. `FN %f` to `END` is a function without parameters or result, and `CALL %f` calls
//! one. `WHEN -1 6: %f` calls `%f` through a conditional caller, with the series as its arguments. Lines
//! after `AFTER` follow all functions. The results of calls are `%<holder>_<action>`.

use std::collections::{BTreeMap, BTreeSet};

/// Expands a short text to one for spirv-as.
pub fn expand(text: &str) -> String {
    let mut program = TextProgram::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        program.line(line);
    }
    program.finish()
}

#[derive(Default)]
struct TextProgram {
    kernel: bool,
    interface: String,
    sections: BTreeMap<usize, Vec<String>>,
    functions: Vec<String>,
    after: Vec<String>,
    holder: String,
    inside: bool,
    callers: BTreeMap<String, usize>,
    results: BTreeSet<String>,
}

/// The first opcodes of the sections of the layout, in order; types, constants and variables follow.
const SECTIONS: [&[&str]; 10] = [
    &["OpCapability", "OpConditionalCapabilityINTEL"],
    &["OpExtension", "OpConditionalExtensionINTEL"],
    &["OpExtInstImport"],
    &["OpMemoryModel"],
    &["OpEntryPoint", "OpConditionalEntryPointINTEL"],
    &["OpExecutionMode", "OpExecutionModeId"],
    &["OpString", "OpSource"],
    &["OpName", "OpMemberName"],
    &["OpModuleProcessed"],
    &[
        "OpDecorate",
        "OpDecorateId",
        "OpMemberDecorate",
        "OpDecorateString",
        "OpGroupDecorate",
        "OpDecorationGroup",
        "OpGroupMemberDecorate",
    ],
];

/// Well-known names, each after those that it refers to.
const KNOWN: [(&str, &str); 25] = [
    ("%void", "OpTypeVoid"),
    ("%fn", "OpTypeFunction %void"),
    ("%bool", "OpTypeBool"),
    ("%int", "OpTypeInt 32 SIGN"),
    ("%uint", "OpTypeInt 32 0"),
    ("%char", "OpTypeInt 8 0"),
    ("%short", "OpTypeInt 16 0"),
    ("%long", "OpTypeInt 64 0"),
    ("%half", "OpTypeFloat 16"),
    ("%float", "OpTypeFloat 32"),
    ("%double", "OpTypeFloat 64"),
    ("%true", "OpConstantTrue %bool"),
    ("%i0", "OpConstant %int 0"),
    ("%i1", "OpConstant %int 1"),
    ("%u0", "OpConstant %uint 0"),
    ("%u1", "OpConstant %uint 1"),
    ("%u2", "OpConstant %uint 2"),
    ("%u3", "OpConstant %uint 3"),
    ("%c1", "OpConstant %char 1"),
    ("%s1", "OpConstant %short 1"),
    ("%l1", "OpConstant %long 1"),
    ("%h1", "OpConstant %half 1"),
    ("%f1", "OpConstant %float 1"),
    ("%d1", "OpConstant %double 1"),
    ("%pint", "OpTypePointer Function %int"),
];

fn names(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split(';').next().unwrap_or_default();
    code.split_whitespace().filter(|word| word.starts_with('%'))
}

impl TextProgram {
    fn line(&mut self, line: &str) {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        let opcode = line.split_whitespace().find(|word| word.starts_with("Op")).unwrap_or_default();
        let section = SECTIONS.iter().position(|section| section.contains(&opcode));
        match first {
            "KERNEL" => self.kernel = true,
            "INTERFACE" => self.interface = rest.to_string(),
            "FN" => {
                self.holder = rest.to_string();
                let label = format!("%at{}", &rest[1..]);
                self.functions.push(format!("{rest} = OpFunction %void None %fn\n{label} = OpLabel"));
                self.inside = true;
            }
            "END" => {
                self.functions.push("OpReturn\nOpFunctionEnd".to_string());
                self.inside = false;
            }
            "CALL" => {
                let result = self.result(rest);
                self.functions.push(format!("{result} = OpFunctionCall %void {rest}"));
            }
            "WHEN" => self.when(rest),
            "AFTER" => self.after.push(rest.to_string()),
            _ if section.is_some() && !self.inside => {
                self.sections.entry(section.unwrap()).or_default().push(line.to_string())
            }
            _ if opcode == "OpFunction" || self.inside => {
                if opcode == "OpFunction" {
                    self.holder = first.to_string();
                }
                self.inside = opcode != "OpFunctionEnd";
                self.functions.push(line.to_string());
            }
            _ => self.sections.entry(SECTIONS.len() + 1).or_default().push(line.to_string()),
        }
    }

    fn result(&mut self, callee: &str) -> String {
        let mut result = format!("{}_{}", self.holder, &callee[1..]);
        while !self.results.insert(result.clone()) {
            result.push_str("_again");
        }
        result
    }

    fn when(&mut self, line: &str) {
        let (series, action) = line.split_once(": ").unwrap();
        let series: Vec<&str> = series.split_whitespace().collect();
        let result = self.result(action);
        let arguments: Vec<String> = series.iter().map(|value| constant(value)).collect();
        let caller = format!("%caller_{}_{}", &action[1..], series.len());
        self.functions.push(format!("{result} = OpFunctionCall %void {caller} {}", arguments.join(" ")));
        self.callers.insert(format!("{caller} {action}"), series.len());
    }

    fn caller(&mut self, caller: &str, action: &str, count: usize) {
        let name = &caller[1..];
        self.line(&format!("OpName {caller} \"call_if_on_device_conditionally_{name}\""));
        self.functions.push(format!("{caller} = OpFunction %void None %fn_{count}"));
        let parameters = (0..count).map(|number| format!("%{name}_{number} = OpFunctionParameter %int"));
        self.functions.extend(parameters);
        self.functions.push(format!("%at{name} = OpLabel\n%in{name} = OpFunctionCall %void {action}"));
        self.functions.push("OpReturn\nOpFunctionEnd".to_string());
    }

    fn finish(mut self) -> String {
        for (name, count) in std::mem::take(&mut self.callers) {
            let (caller, action) = name.split_once(' ').unwrap();
            self.caller(caller, action, count);
        }
        self.functions.append(&mut self.after);
        let mut head = vec![match self.kernel {
            true => "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage",
            false => "OpCapability Shader",
        }];
        let lines = |section: usize| self.sections.get(&section).cloned().unwrap_or_default();
        let sections: Vec<Vec<String>> = (0..SECTIONS.len() + 2).map(lines).collect();
        head.extend(sections[..3].iter().flatten().map(String::as_str));
        if sections[3].is_empty() {
            head.push(if self.kernel {
                "OpMemoryModel Physical64 OpenCL"
            } else {
                "OpMemoryModel Logical GLSL450"
            });
        }
        head.extend(sections[3].iter().map(String::as_str));
        let has_main = self.functions.iter().any(|line| line.starts_with("%main = OpFunction"));
        let entry = format!("OpEntryPoint GLCompute %main \"main\" {}", self.interface);
        let kernel = format!("OpEntryPoint Kernel %main \"main\" {}", self.interface);
        if sections[4].is_empty() && has_main {
            head.push(if self.kernel { &kernel } else { &entry });
            if !self.kernel {
                head.push("OpExecutionMode %main LocalSize 1 1 1");
            }
        }
        head.extend(sections[4..SECTIONS.len()].iter().flatten().map(String::as_str));
        let globals = sections[SECTIONS.len() + 1].join("\n");
        let all = format!("{}\n{globals}\n{}", head.join("\n"), self.functions.join("\n"));
        format!("{}\n{}\n{globals}\n{}\n", head.join("\n"), self.known(&all), self.functions.join("\n"))
    }

    /// Returns the definitions of the well-known names that a text uses and does not define.
    fn known(&self, text: &str) -> String {
        let defined: BTreeSet<&str> =
            text.lines().filter_map(|line| line.split_once(" = ").map(|(name, _)| name)).collect();
        let mut wanted: BTreeSet<&str> =
            text.lines().flat_map(names).filter(|name| !defined.contains(name)).collect();
        for (name, definition) in KNOWN.iter().rev() {
            if wanted.contains(name) {
                wanted.extend(names(definition).filter(|name| !defined.contains(name)));
            }
        }
        // In OpenCL modules integer types have no sign, and a scalar type is declared once.
        let sign = if self.kernel { "0" } else { "1" };
        if self.kernel {
            assert!(!wanted.contains("%uint"), "%uint is %int");
        }
        let counts: BTreeSet<usize> = self.callers_of(text);
        if wanted.iter().any(|name| name.starts_with("%n_")) || !counts.is_empty() {
            wanted.extend(["%int", "%void"].iter().filter(|name| !defined.contains(*name)));
        }
        let known = KNOWN.iter().filter(|(name, _)| wanted.contains(name));
        let known = known.map(|(name, definition)| format!("{name} = {}", definition.replace("SIGN", sign)));
        let constants = wanted.iter().filter_map(|name| {
            let value = name.strip_prefix("%n_")?.replacen('m', "-", 1).parse::<i32>().ok()?;
            let value = if self.kernel { value.cast_unsigned().to_string() } else { value.to_string() };
            Some(format!("{name} = OpConstant %int {value}"))
        });
        let types = counts
            .iter()
            .map(|&count| format!("%fn_{count} = OpTypeFunction %void{}", " %int".repeat(count)));
        known.chain(constants).chain(types).collect::<Vec<String>>().join("\n")
    }

    fn callers_of(&self, text: &str) -> BTreeSet<usize> {
        let defined = |count: &usize| !text.contains(&format!("%fn_{count} = "));
        let used = text.lines().flat_map(names).filter_map(|name| name.strip_prefix("%fn_")?.parse().ok());
        used.filter(defined).collect()
    }
}

/// Returns the name of an integer constant.
pub fn constant(value: &str) -> String {
    format!("%n_{}", value.replace('-', "m"))
}
