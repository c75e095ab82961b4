//! Messages of the program: what they are about, and their words.
//!
//! A sentence is shown in full where a case is about it. Elsewhere only its facts are, so that a better sentence changes few cases.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Words of a message that stay beside its facts, so that one message is not taken for another.
const FIRST_WORDS: usize = 2;

/// A token of a message.
#[derive(Clone, Copy, PartialEq)]
enum MessageToken<'a> {
    Word,
    /// A name, a number, or what is quoted.
    Fact(&'a str),
}

/// Returns standard error without the words of messages: each run of them becomes `…`. Lines that are indented have facts only.
pub fn facts(stderr: &str) -> String {
    let mut text = String::new();
    for line in stderr.lines() {
        if line.starts_with(' ') {
            text += line;
        } else {
            let (head, message) = head_and_message(line);
            text += head;
            text += &facts_of(message);
        }
        text.push('\n');
    }
    text
}

fn facts_of(message: &str) -> String {
    let mut shown: Vec<&str> = Vec::new();
    let mut words = 0;
    for token in tokens(message) {
        match message_token(token) {
            MessageToken::Fact(fact) => shown.push(fact),
            MessageToken::Word if words < FIRST_WORDS => {
                words += 1;
                shown.push(token);
            }
            MessageToken::Word if shown.last() != Some(&"…") => shown.push("…"),
            MessageToken::Word => {}
        }
    }
    shown.join(" ")
}

/// Returns the messages of an expected outcome, with `#` for each run of facts.
fn sentences(outcome: &str) -> BTreeSet<String> {
    let mut is_stderr = false;
    let mut sentences = BTreeSet::new();
    for line in outcome.lines() {
        if line.starts_with("--- ") || line.starts_with("$ ") {
            is_stderr = line == "--- stderr";
        } else if is_stderr && !line.starts_with(' ') {
            sentences.insert(sentence(head_and_message(line).1));
        }
    }
    sentences
}

fn sentence(message: &str) -> String {
    let mut shown: Vec<&str> = Vec::new();
    for token in tokens(message) {
        match message_token(token) {
            MessageToken::Word => shown.push(token),
            MessageToken::Fact(_) if shown.last() != Some(&"#") => shown.push("#"),
            MessageToken::Fact(_) => {}
        }
    }
    shown.join(" ")
}

/// Separates the program's name and the severity from a message.
fn head_and_message(line: &str) -> (&str, &str) {
    let severities = ["error: ", "warning: ", "note: "];
    let message = line
        .strip_prefix("spirv-if: ")
        .and_then(|rest| severities.iter().find_map(|severity| rest.strip_prefix(severity)));
    line.split_at(line.len() - message.unwrap_or(line).len())
}

/// Splits a message at its spaces, except within quotes.
fn tokens(message: &str) -> Vec<&str> {
    let mut quote = None;
    let ends = move |character: char| {
        match quote {
            Some(open) if open == character => quote = None,
            None if matches!(character, '`' | '"') => quote = Some(character),
            _ => {}
        }
        quote.is_none() && character == ' '
    };
    message.split(ends).filter(|token| !token.is_empty()).collect()
}

/// A word is lower-case letters with the punctuation of a sentence around them.
fn message_token(token: &str) -> MessageToken<'_> {
    let word = token.trim_start_matches('(').trim_end_matches([',', ';', ':', '.', '?', ')', '…']);
    let is_word =
        word.chars().all(|character| character.is_ascii_lowercase() || character == '-' || character == '\'');
    if is_word && !token.starts_with('\'') { MessageToken::Word } else { MessageToken::Fact(token) }
}

/// Fails if a case shows messages in full of which others do the same: each of them is one more place where a sentence stands.
pub fn check_shown_once(cases: &[(PathBuf, bool)]) -> Result<(), String> {
    let mut full: Vec<(bool, &Path, BTreeSet<String>)> = Vec::new();
    let mut count: BTreeMap<String, u32> = BTreeMap::new();
    for (path, _) in cases.iter().filter(|(_, only_facts)| !only_facts) {
        let outcome =
            std::fs::read_to_string(path.with_extension("out")).map_err(|error| error.to_string())?;
        let sentences = sentences(&outcome);
        sentences.iter().for_each(|sentence| *count.entry(sentence.clone()).or_default() += 1);
        let has_results = outcome.lines().any(|line| line.starts_with("--- %"));
        full.push((!has_results, path, sentences));
    }
    // Of two cases, the one that shows results is about these.
    full.sort();
    let mut repeated = String::new();
    for (_, path, sentences) in full.iter().filter(|(_, _, sentences)| !sentences.is_empty()) {
        if sentences.iter().all(|sentence| count[sentence] > 1) {
            sentences.iter().for_each(|sentence| *count.get_mut(sentence).unwrap() -= 1);
            repeated += &format!("{}\n", path.display());
        }
    }
    if repeated.is_empty() {
        return Ok(());
    }
    Err(format!(
        "other cases show all messages of these; add `; MESSAGES: facts` and run them with BLESS=1:\n{repeated}"
    ))
}
