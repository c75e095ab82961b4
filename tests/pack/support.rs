//! Running spirv-tools.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A tool named by the environment, or the one that scripts/setup-tools.sh brought. Says so where it is missing.
pub fn tool(variable: &str, name: &str) -> Option<PathBuf> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/tools/bin").join(name);
    let path = std::env::var_os(variable).map(PathBuf::from).unwrap_or(own);
    if path.exists() {
        return Some(path);
    }
    // Past the harness, which hides what passing tests print.
    let _ = writeln!(std::io::stderr(), "LEFT OUT: no {name}; run scripts/setup-tools.sh or set {variable}");
    None
}

/// Runs a tool that reads standard input.
pub fn run(tool: PathBuf, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A tool may stop reading at the first error.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()),
    }
}

/// Has spirv-val judge a module.
pub fn validate(words: &[u32], environment: &str) -> Result<(), String> {
    let Some(validator) = tool("SPIRV_VAL", "spirv-val") else { return Ok(()) };
    let bytes = bytes(words);
    run(validator, &["--target-env", environment], &bytes).map(drop).map_err(|message| {
        let dis = tool("SPIRV_DIS", "spirv-dis").map(|dis| run(dis, &["--raw-id"], &bytes));
        let shown = dis.and_then(Result::ok).map(|out| String::from_utf8_lossy(&out).into_owned());
        format!("{environment}: {message}\n{}", shown.unwrap_or_default())
    })
}

/// Assembles a text; returns the words, and the ids by name: spirv-as numbers names by first appearance.
pub fn assemble(text: &str, version: &str) -> Option<(Vec<u32>, BTreeMap<String, u32>)> {
    let assembler = tool("SPIRV_AS", "spirv-as")?;
    let bytes = run(assembler, &["--target-env", version, "-o", "-", "-"], text.as_bytes())
        .unwrap_or_else(|error| panic!("{error}\n{}", numbered(text)));
    let mut ids = BTreeMap::new();
    for word in text.lines().filter_map(|line| line.split(';').next()).flat_map(str::split_whitespace) {
        if let Some(name) = word.strip_prefix('%') {
            let next = ids.len() as u32 + 1;
            ids.entry(name.to_string()).or_insert(next);
        }
    }
    let words = words(&bytes);
    assert_eq!(words[3] as usize, ids.len() + 1, "the names are numbered as spirv-as numbers them\n{text}");
    Some((words, ids))
}

fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(number, line)| format!("{:4} {line}\n", number + 1)).collect()
}

pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}
