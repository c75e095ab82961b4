//! The call graph in DOT: grammar, text, and content for the fixtures.

use std::collections::BTreeMap;

use super::quoted;
use crate::CallGraph;
use crate::test_support::{assemble, fixtures, run, tool};
use spirv_if::Module;

fn draw(modules: &[(&str, &[u32])]) -> String {
    let graph = |&(title, words): &(&str, &[u32])| {
        CallGraph::new(&Module::from_words(words).unwrap().with_name(title)).unwrap()
    };
    CallGraph::to_dot(&modules.iter().map(graph).collect::<Vec<_>>())
}

/// Returns the text of a string of DOT, as Graphviz reads it.
fn shown(string: &str) -> String {
    let mut text = String::new();
    let mut rest = string.chars();
    while let Some(character) = rest.next() {
        match character {
            '\\' => match rest.next().unwrap() {
                'n' => text.push('\n'),
                escaped @ ('"' | '\\') => text.push(escaped),
                other => panic!("\\{other} means something else to Graphviz"),
            },
            '&' => {
                let entity: String = rest.by_ref().take_while(|&character| character != ';').collect();
                assert_eq!(entity, "amp");
                text.push('&');
            }
            '"' | '\n' => panic!("{character:?} ends the string {string}"),
            other => text.push(other),
        }
    }
    text
}

type DotAttributes = BTreeMap<String, String>;

/// A parsed graph.
#[derive(Debug, Default, PartialEq)]
struct DotGraph {
    titles: Vec<String>,
    nodes: BTreeMap<String, DotAttributes>,
    edges: Vec<(String, String, DotAttributes)>,
}

impl DotGraph {
    /// Returns the first line of a node.
    fn name(&self, node: &str) -> &str {
        self.nodes[node]["label"].lines().next().unwrap()
    }

    /// Returns the edges by the names of their ends, with their labels. Dashed ones have an asterisk.
    fn named(&self) -> Vec<String> {
        let edges = self.edges.iter().map(|(from, to, attributes)| {
            let label = attributes.get("label").map(|label| format!(": {label}")).unwrap_or_default();
            let dashed = if attributes.contains_key("style") { " *" } else { "" };
            format!("{} -> {}{label}{dashed}", self.name(from), self.name(to))
        });
        edges.collect()
    }
}

/// Returns the tokens of DOT: names, strings (with a quote in front), arrows and punctuation.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => {
                let mut escaped = false;
                let end = rest[1..].find(|character| {
                    let ends = character == '"' && !escaped;
                    escaped = character == '\\' && !escaped;
                    ends
                });
                let end = end.expect("the string ends") + 1;
                tokens.push(format!("\"{}", shown(&rest[1..end])));
                rest = &rest[end + 1..];
                continue;
            }
            _ if first.is_whitespace() => {
                rest = &rest[first.len_utf8()..];
                continue;
            }
            '-' => 2,
            '{' | '}' | '[' | ']' | ';' | '=' | ',' => 1,
            _ => {
                let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
                rest.find(|character| !is_name(character)).filter(|&length| length > 0).expect(rest)
            }
        };
        tokens.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    tokens
}

/// Parses the part of DOT's grammar that we write; anything else is an error.
fn parse(text: &str) -> DotGraph {
    let tokens = tokens(text);
    let mut graph = DotGraph::default();
    let mut at = 0;
    let mut depth = 0;
    let is = |at: usize, token: &str| tokens.get(at).is_some_and(|next| next == token);
    assert!(is(0, "digraph"));
    at += 1;
    loop {
        let token = &tokens[at];
        at += 1;
        match token.as_str() {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            "subgraph" => {
                assert!(tokens[at].starts_with("cluster_") && is(at + 1, "{"), "{text}");
                at += 1;
            }
            _ if is(at, "=") => {
                assert!(token == "label" && is(at + 2, ";"));
                graph.titles.push(tokens[at + 1].strip_prefix('"').unwrap().to_owned());
                at += 3;
            }
            _ => {
                let to = is(at, "->").then(|| tokens[at + 1].clone());
                at += if to.is_some() { 2 } else { 0 };
                let mut attributes = DotAttributes::new();
                if is(at, "[") {
                    while !is(at, "]") {
                        assert!(is(at + 2, "="), "{text}");
                        let value = &tokens[at + 3];
                        let value = value.strip_prefix('"').unwrap_or(value).to_owned();
                        assert_eq!(attributes.insert(tokens[at + 1].clone(), value), None);
                        at += 4;
                        assert!(is(at, ",") || is(at, "]"), "{text}");
                    }
                    at += 1;
                }
                assert!(is(at, ";"), "{text}");
                at += 1;
                match to {
                    Some(to) => graph.edges.push((token.clone(), to, attributes)),
                    None if ["graph", "node", "edge"].contains(&token.as_str()) => {}
                    None => assert_eq!(graph.nodes.insert(token.clone(), attributes), None),
                }
            }
        }
    }
    assert_eq!(at, tokens.len(), "nothing comes after the graph");
    for (from, to, _) in &graph.edges {
        assert!(graph.nodes.contains_key(from) && graph.nodes.contains_key(to), "{from} -> {to}");
    }
    graph
}

/// Passes graphs to Graphviz.
fn check(graphs: &str) {
    let error = run(&tool("DOT", "dot"), &["-Tcanon"], graphs.as_bytes()).err();
    assert_eq!(error, None, "{graphs}");
}

#[test]
fn every_fixture_is_drawn() {
    let fixtures = fixtures();
    for (name, words) in &fixtures {
        let text = draw(&[(name, words)]);
        assert_eq!(text, draw(&[(name, words)]));
        let graph = parse(&text);
        assert_eq!(graph.titles, std::slice::from_ref(name));
    }
    let all: Vec<(&str, &[u32])> =
        fixtures.iter().map(|(name, words)| (name.as_str(), words.as_slice())).collect();
    let text = draw(&all);
    assert_eq!(parse(&text).titles.len(), fixtures.len());
}

#[test]
#[ignore = "needs Graphviz; scripts/test.sh runs it"]
fn graphviz_reads_every_graph() {
    let of_fixtures = fixtures().into_iter().map(|(name, words)| draw(&[(&name, &words)]));
    let of_texts = TEXTS.into_iter().map(|text| format!("digraph {{ a [label={}]; }}\n", quoted(text)));
    check(&of_fixtures.chain(of_texts).collect::<String>());
}

#[test]
fn conditional_calls_have_their_condition() {
    let fixtures = fixtures();
    let (_, words) = fixtures.iter().find(|(name, _)| name == "glsl/archlist.spv").unwrap();
    let graph = parse(&draw(&[("archlist", words)]));
    let edges = graph.named();
    let has = |edge: &str| assert!(edges.iter().any(|other| other == edge), "{edge} in {edges:#?}");
    has("main -> call_if_on_device_conditionally_correct: fp64");
    has("multiply_wide -> call_if_on_device_conditionally_float: !fp64");
    let wide = "arch(intel_gpu_acm_g10) ||\narch(intel_gpu_pvc) ||\narch(nvidia_gpu_sm_80)";
    has(&format!("multiply_wide -> load_wide: {wide}"));
    let node = graph.nodes.values().find(|node| node["label"].starts_with("main")).unwrap();
    assert_eq!(node["style"], "bold");
}

const POINTERS: &str = r#"
    OpCapability Kernel
    OpCapability Addresses
    OpCapability Linkage
    OpCapability Float64
    OpCapability FunctionPointersINTEL
    OpExtension "SPV_INTEL_function_pointers"
    OpMemoryModel Physical64 OpenCL
    OpEntryPoint Kernel %1 "entry"
    OpName %1 "a \"quoted\" \\N name{with|<braces>} &lt; and
a line"
    OpName %2 "twice"
    OpName %3 "pointed"
    %10 = OpTypeVoid
    %11 = OpTypeFunction %10
    %12 = OpTypePointer CodeSectionINTEL %11
    %13 = OpConstantFunctionPointerINTEL %12 %3
    %14 = OpTypeFloat 64
    %15 = OpConstant %14 1
    %1 = OpFunction %10 None %11
    %20 = OpLabel
    %21 = OpFunctionCall %10 %2
    %22 = OpFunctionCall %10 %2
    %23 = OpBitcast %12 %13
    OpReturn
    OpFunctionEnd
    %2 = OpFunction %10 None %11
    %30 = OpLabel
    %31 = OpFAdd %14 %15 %15
    %32 = OpFunctionCall %10 %2
    OpReturn
    OpFunctionEnd
    %3 = OpFunction %10 None %11
    %40 = OpLabel
    OpReturn
    OpFunctionEnd
"#;

#[test]
#[ignore = "needs SPIRV-Tools and Graphviz; scripts/test.sh runs it"]
fn hostile_names_pointers_and_counts() {
    let words = assemble(POINTERS, "spv1.4");
    let text = draw(&[("a \\\"title\\", &words), ("again", &words)]);
    check(&text);
    let graph = parse(&text);
    assert_eq!(graph.titles, ["a \\\"title\\", "again"]);
    let label = &graph.nodes["f0_1"]["label"];
    let name = "a \"quoted\" \\N name{with|<braces>} &lt; and\na line";
    assert!(label.starts_with(name), "{label:?}");
    assert_eq!(graph.nodes["f1_2"]["label"], "twice\nFloat64");
    let edges: Vec<&(String, String, DotAttributes)> =
        graph.edges.iter().filter(|edge| edge.0.starts_with("f0")).collect();
    let attributes = |pairs: &[(&str, &str)]| -> DotAttributes {
        pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
    };
    let edge = |from: &str, to: &str, pairs: &[(&str, &str)]| (from.into(), to.into(), attributes(pairs));
    assert_eq!(
        edges.into_iter().cloned().collect::<Vec<_>>(),
        [
            edge("f0_1", "f0_2", &[("label", "2×")]),
            edge("f0_1", "f0_3", &[("style", "dashed")]),
            edge("f0_2", "f0_2", &[]),
        ]
    );
}

const TEXTS: [&str; 12] =
    ["", "\\", "\\\\\"", "\"", "a\\nb", "a\nb", "\\l&amp;", "{|}<>[];->", "×…é", "-->", "//", "/*"];

#[test]
fn any_text_can_be_quoted() {
    for text in TEXTS {
        let string = quoted(text);
        let inside = string.strip_prefix('"').and_then(|string| string.strip_suffix('"')).unwrap();
        assert_eq!(shown(inside), text);
    }
    assert_eq!(quoted("\0\r\u{1b}"), "\"\u{fffd}\u{fffd}\u{fffd}\"");
}
