//! Comparison of the grammar with the newest one of SPIRV-Headers. `BLESS=1` writes the tables of everything
//! that rspirv does not have; the last column of the instructions is written by hand. Not every machine has
//! that grammar, so these tests run on request.

use crate::loader::Version;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};
use serde_json::Value;
use spirv::{Capability, Op};

use crate::loader::grammar::enumerants::{NEWER_CAPABILITIES, NEWER_ENUMERANTS, NEWER_INSTRUCTIONS};
use crate::loader::grammar::enumerants::{from_rspirv, is_mask, kind_named};
use crate::loader::grammar::generate::{Enumerant, facts, rows};
use crate::loader::grammar::{self, GrammarEntry, versions};
use crate::test_support::tool_file;

/// Enumerations that no operand has: constants hold their values.
const OF_NOTHING: [&str; 1] = ["GatherModes"];

/// Reads the newest grammar.
fn newest() -> Value {
    let path = tool_file("SPIRV_GRAMMAR", "root/usr/include/spirv/unified1/spirv.core.grammar.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn list(of: &Value, key: &str) -> Vec<String> {
    let entries = of[key].as_array().into_iter().flatten();
    entries.map(|entry| entry.as_str().unwrap().to_owned()).collect()
}

/// Returns operands as the tables write them.
fn operands(of: &Value, key: &str) -> String {
    let entries = of[key].as_array().into_iter().flatten();
    let operands = entries.map(|operand| {
        let kind = operand["kind"].as_str().unwrap();
        format!("{kind}{}", operand["quantifier"].as_str().unwrap_or_default())
    });
    operands.collect::<Vec<_>>().join(" ")
}

/// Returns operands of this crate as the tables write them.
fn written(operands: &[LogicalOperand]) -> String {
    let operands = operands.iter().map(|operand| {
        let quantifier = match operand.quantifier {
            OperandQuantifier::One => "",
            OperandQuantifier::ZeroOrOne => "?",
            OperandQuantifier::ZeroOrMore => "*",
        };
        format!("{:?}{quantifier}", operand.kind)
    });
    operands.collect::<Vec<_>>().join(" ")
}

/// The facts on an instruction or enumerant, with capabilities by their numbers.
#[derive(Debug, PartialEq)]
struct GrammarFacts {
    operands: String,
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<String>,
}

impl GrammarFacts {
    /// Returns the facts that the newest grammar has.
    fn newest(newest: &Value, of: &Value, key: &str) -> GrammarFacts {
        GrammarFacts {
            operands: operands(of, key),
            capabilities: list(of, "capabilities")
                .iter()
                .map(|name| capability_number(newest, name))
                .collect(),
            extensions: list(of, "extensions").into_iter().collect(),
        }
    }

    /// Returns the facts that count for an enumerant. A capability implies only what both grammars say,
    /// because tools that know the older one would refuse modules otherwise.
    fn counting(newest: &Value, kind: OperandKind, value: u32, member: &Value) -> GrammarFacts {
        let mut facts = GrammarFacts::newest(newest, member, "parameters");
        if kind == OperandKind::Capability
            && let Some(known) = from_rspirv(kind, value)
        {
            let known = self::facts(&known).capabilities;
            facts.capabilities.retain(|capability| known.contains(capability));
        }
        facts
    }

    fn new(operands: &[LogicalOperand], capabilities: Vec<u32>, extensions: &[&str]) -> GrammarFacts {
        GrammarFacts {
            operands: written(operands),
            capabilities: capabilities.into_iter().collect(),
            extensions: extensions.iter().map(|name| name.to_string()).collect(),
        }
    }

    fn of_instruction(inst: GrammarEntry) -> GrammarFacts {
        GrammarFacts::new(inst.operands(), inst.capabilities(), &inst.extensions())
    }

    fn of_enumerant(enumerant: &Enumerant) -> GrammarFacts {
        GrammarFacts::new(&enumerant.parameters, enumerant.capabilities.clone(), &enumerant.extensions)
    }
}

fn number(of: &Value) -> u32 {
    match of.as_str() {
        Some(text) => u32::from_str_radix(text.trim_start_matches("0x"), 16).unwrap(),
        None => of.as_u64().unwrap() as u32,
    }
}

/// Returns the number that the newest grammar has for a capability. The tables, which are about to be
/// written, may not have it.
fn capability_number(newest: &Value, name: &str) -> u32 {
    let kinds = newest["operand_kinds"].as_array().unwrap();
    let kind = kinds.iter().find(|kind| kind["kind"] == "Capability").unwrap();
    let is_it = |member: &&Value| {
        member["enumerant"] == name || list(member, "aliases").iter().any(|alias| alias == name)
    };
    let capability = kind["enumerants"].as_array().unwrap().iter().find(is_it);
    number(&capability.unwrap_or_else(|| panic!("no capability {name}"))["value"])
}

/// Returns the enumerants of the newest grammar, of the kinds that operands have.
fn enumerants(newest: &Value) -> Vec<(OperandKind, u32, &Value)> {
    let mut all = Vec::new();
    for kind in newest["operand_kinds"].as_array().unwrap() {
        let name = kind["kind"].as_str().unwrap();
        let Some(members) = kind["enumerants"].as_array().filter(|_| !OF_NOTHING.contains(&name)) else {
            continue;
        };
        let kind = kind_named(name).unwrap_or_else(|| panic!("no operand kind {name}"));
        let values = members.iter().map(|member| (kind, number(&member["value"]), member));
        // A mask of no bits is not an enumerant.
        all.extend(values.filter(|&(kind, value, _)| !is_mask(kind) || value != 0));
    }
    all
}

/// Returns the further names of an enumerant, for the kinds that users name.
fn aliases(kind: OperandKind, member: &Value) -> Vec<String> {
    match kind {
        OperandKind::Capability | OperandKind::ExecutionMode | OperandKind::Decoration => {
            list(member, "aliases")
        }
        _ => Vec::new(),
    }
}

/// Compares a table with the text that it should have, and writes it if asked to. Comments are kept.
#[track_caller]
fn compare(file: &str, now: &str, title: &str, rows: &str) {
    let comments: String =
        now.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let expected = format!("{comments}{title}\n{rows}");
    if std::env::var_os("BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec-extensions").join(file);
        return std::fs::write(path, expected).unwrap();
    }
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    let (now, expected) = (lines(now), lines(&expected));
    let missing: Vec<_> = expected.difference(&now).collect();
    let other: Vec<_> = now.difference(&expected).collect();
    assert!(
        missing.is_empty() && other.is_empty(),
        "{file} lacks {missing:#?}\nand has {other:#?} instead; BLESS=1 writes it"
    );
}

#[test]
#[ignore = "needs the grammar of SPIRV-Headers; scripts/test.sh runs it"]
fn instructions() {
    let newest = newest();
    let mut rows = String::new();
    for inst in newest["instructions"].as_array().unwrap() {
        let opcode = number(&inst["opcode"]);
        let known = rspirv::grammar::INSTRUCTION_TABLE.iter().find(|known| known.opcode as u32 == opcode);
        let facts = GrammarFacts::newest(&newest, inst, "operands");
        if known.is_some_and(|known| GrammarFacts::of_instruction(GrammarEntry::Rspirv(known)) == facts) {
            continue;
        }
        let name = inst["opname"].as_str().unwrap().trim_start_matches("Op");
        let role = rows::instructions().iter().find(|row| row.number == opcode).and_then(|row| row.role);
        let role = match role {
            Some(rows::InstructionRole::Terminator) => "terminator",
            Some(rows::InstructionRole::Value) => "value",
            None => "",
        };
        let (capabilities, extensions) =
            (list(inst, "capabilities").join(" "), list(inst, "extensions").join(" "));
        writeln!(rows, "{opcode},{name},{},{capabilities},{extensions},{role}", facts.operands).unwrap();
    }
    let title = "opcode,name,operands,capabilities,extensions,role";
    compare("newer-instructions.csv", NEWER_INSTRUCTIONS, title, &rows);
}

#[test]
#[ignore = "needs the grammar of SPIRV-Headers; scripts/test.sh runs it"]
fn enumerants_of_operands() {
    let newest = newest();
    let enumerants = enumerants(&newest);
    let kinds: Vec<OperandKind> = enumerants.iter().map(|&(kind, ..)| kind).collect();
    let place = |kind: OperandKind| kinds.iter().position(|&other| other == kind).unwrap();
    // Capabilities that the newest grammar dropped are kept.
    let mut rows: BTreeMap<(usize, u32), String> = BTreeMap::new();
    let capability = place(OperandKind::Capability);
    for row in NEWER_CAPABILITIES.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let value = row.split(',').next().unwrap().parse().unwrap();
        if !enumerants.iter().any(|&(kind, number, _)| (kind, number) == (OperandKind::Capability, value)) {
            rows.insert((capability, value), row.to_owned());
        }
    }
    for (kind, value, member) in enumerants {
        let name = member["enumerant"].as_str().unwrap();
        let facts = GrammarFacts::counting(&newest, kind, value, member);
        let is_known = from_rspirv(kind, value)
            .is_some_and(|operand| GrammarFacts::of_enumerant(&self::facts(&operand)) == facts);
        // Conditions name capabilities.
        let is_named = kind != OperandKind::Capability || name.parse::<Capability>().is_ok();
        let aliases = aliases(kind, member).join(" ");
        if is_known && is_named && aliases.is_empty() {
            continue;
        }
        let counts = |name: &String| facts.capabilities.contains(&capability_number(&newest, name));
        let capabilities: Vec<_> = list(member, "capabilities").into_iter().filter(counts).collect();
        let (capabilities, extensions) = (capabilities.join(" "), list(member, "extensions").join(" "));
        let row = match kind {
            OperandKind::Capability => format!("{value},{name},{capabilities},{extensions},{aliases}"),
            _ => format!("{kind:?},{value},{name},{},{capabilities},{extensions},{aliases}", facts.operands),
        };
        rows.insert((place(kind), value), row);
    }
    let rows_of = |of_capabilities: bool| -> String {
        let selected = rows.iter().filter(|((at, _), _)| (*at == capability) == of_capabilities);
        selected.map(|(_, row)| format!("{row}\n")).collect()
    };
    let title = "number,capability,implies,extensions,aliases";
    compare("newer-capabilities.csv", NEWER_CAPABILITIES, title, &rows_of(true));
    let title = "kind,value,name,parameters,capabilities,extensions,aliases";
    compare("newer-enumerants.csv", NEWER_ENUMERANTS, title, &rows_of(false));
}

/// Returns the extensions that add an instruction or enumerant to versions before that which added it. Where the grammar names none, they
/// are those of its capabilities that the same version added.
fn extensions_of(newest: &Value, of: &Value) -> Vec<String> {
    let of_token = list(of, "extensions");
    if !of_token.is_empty() {
        return of_token;
    }
    let kinds = newest["operand_kinds"].as_array().unwrap();
    let kind = kinds.iter().find(|kind| kind["kind"] == "Capability").unwrap();
    let enabling = list(of, "capabilities");
    let is_enabling = |capability: &&Value| {
        let name = capability["enumerant"].as_str().unwrap();
        enabling.iter().any(|other| other == name) && capability["version"] == of["version"]
    };
    let capabilities = kind["enumerants"].as_array().unwrap().iter().filter(is_enabling);
    capabilities.flat_map(|capability| list(capability, "extensions")).collect()
}

#[test]
#[ignore = "needs the grammar of SPIRV-Headers; scripts/test.sh runs it"]
fn versions() {
    let newest = newest();
    let mut rows = String::new();
    let mut row = |kind: &str, number: u32, name: &str, of: &Value| {
        let version = of["version"].as_str().and_then(|text| text.parse::<Version>().ok());
        let Some(version) = version.filter(|&version| version > Version::new(1, 0)) else { return };
        let extensions = extensions_of(&newest, of).join(" ");
        writeln!(rows, "{kind},{number},{name},{version},{extensions}").unwrap();
    };
    for inst in newest["instructions"].as_array().unwrap() {
        let name = inst["opname"].as_str().unwrap().trim_start_matches("Op");
        row(versions::INSTRUCTION, number(&inst["opcode"]), name, inst);
    }
    for (kind, value, member) in enumerants(&newest) {
        row(&format!("{kind:?}"), value, member["enumerant"].as_str().unwrap(), member);
    }
    let is_of_extension = |line: &&str| line.split(',').next() == Some(versions::EXTENSION);
    for row in versions::VERSIONS.lines().filter(is_of_extension) {
        writeln!(rows, "{row}").unwrap();
    }
    compare("versions.csv", versions::VERSIONS, "kind,number,name,version,extensions", &rows);
}

/// Checks that our grammar has every instruction and enumerant of the newest one, with the same facts.
#[test]
#[ignore = "needs the grammar of SPIRV-Headers; scripts/test.sh runs it"]
fn all_of_it_is_known() {
    let newest = newest();
    let mut seen = 0;
    for inst in newest["instructions"].as_array().unwrap() {
        let opcode = number(&inst["opcode"]);
        let entry = grammar::entries().find(|entry| u32::from(entry.opcode()) == opcode);
        let entry = entry.unwrap_or_else(|| panic!("{} is not known", inst["opname"]));
        assert_eq!(
            GrammarFacts::of_instruction(entry),
            GrammarFacts::newest(&newest, inst, "operands"),
            "{}",
            inst["opname"]
        );
        let layout = grammar::layout(opcode as u16).unwrap();
        let kinds = operands(inst, "operands");
        let has = |kind: &str| kinds.split(' ').any(|word| word == kind);
        assert_eq!(
            (layout.has_type, layout.result_word().is_some()),
            (has("IdResultType"), has("IdResult")),
            "{}",
            inst["opname"]
        );
        let names = [inst["opname"].as_str().unwrap().to_owned()].into_iter().chain(list(inst, "aliases"));
        let name = grammar::opcode_name(opcode as u16);
        assert!(Op::from_u32(opcode).is_some() || names.into_iter().any(|other| other == name), "{name}");
        seen += 1;
    }
    assert!(seen > 870, "{seen}");
    let enumerants = enumerants(&newest);
    for &(kind, value, member) in &enumerants {
        let enumerant =
            grammar::enumerant(kind, value).unwrap_or_else(|| panic!("{} is not known", member["enumerant"]));
        let counting = GrammarFacts::counting(&newest, kind, value, member);
        assert_eq!(GrammarFacts::of_enumerant(&enumerant), counting, "{kind:?} {}", member["enumerant"]);
        assert_eq!(
            grammar::parameters(kind, value).map(written),
            Some(counting.operands),
            "{kind:?} {value}"
        );
        assert!(grammar::members(kind).any(|(number, _)| number == value), "{kind:?} {value}");
        if kind == OperandKind::Capability {
            let name = member["enumerant"].as_str().unwrap();
            assert_eq!(grammar::capability(name), Some(value), "{name}");
        }
        for alias in aliases(kind, member) {
            let number = grammar::capability(&alias).filter(|_| kind == OperandKind::Capability);
            assert_eq!(grammar::aliased(kind, &alias), Some(value), "{kind:?} {alias}");
            assert!(kind != OperandKind::Capability || number == Some(value), "{alias}");
        }
    }
    assert!(enumerants.len() > 1000, "{}", enumerants.len());
}
