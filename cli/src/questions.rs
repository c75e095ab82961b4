//! The header of `bundle --questions`: the numbers of questions, for applications that answer them by themselves.

use std::collections::HashSet;
use std::fmt::Write;

use spirv_if_bundle::{Bundle, Question, QuestionKind};

/// Returns the source of the header. Names begin with that of the file.
pub fn header(file: &str, bundle: &Bundle) -> String {
    let prefix = macro_name(file.rsplit_once('.').map_or(file, |(name, _)| name));
    let mut text = format!(
        "/* The questions of a bundle by their numbers, for spvb_select: `spirv-if bundle --questions` wrote this. */\n\
         #ifndef {prefix}_QUESTIONS\n#define {prefix}_QUESTIONS\n\nenum {{\n"
    );
    let mut names = HashSet::new();
    for (number, question) in bundle.questions().enumerate() {
        let name = format!("{prefix}_{}", name(question));
        let mut unique = name.clone();
        for count in 2.. {
            if names.insert(unique.clone()) {
                break;
            }
            unique = format!("{name}_{count}");
        }
        let meaning = match question.kind {
            QuestionKind::Condition => "the device has, or the host decides",
            QuestionKind::Requirement => "the device supports",
            QuestionKind::Constant => "the host sets",
        };
        // A value in a manifest may have the end of a comment.
        let _ = writeln!(
            text,
            "    /* {meaning}: {} */\n    {unique} = {number},",
            question.text.replace("*/", "* /")
        );
    }
    let _ = writeln!(text, "    {prefix}_QUESTION_COUNT = {}\n}};\n\n#endif", bundle.questions().len());
    text
}

/// Returns the name of a question after the prefix.
fn name(question: Question) -> String {
    let signs = [
        (">=", " at least "),
        ("<=", " at most "),
        ("==", " is "),
        ("!=", " is not "),
        ("||", " or "),
        ("&&", " and "),
        ("<", " below "),
        (">", " above "),
        ("!", " not "),
    ];
    let text = signs.iter().fold(question.text.to_owned(), |text, (sign, word)| text.replace(sign, word));
    let kind = match question.kind {
        QuestionKind::Condition => "has",
        QuestionKind::Requirement => "supports",
        QuestionKind::Constant => "sets",
    };
    macro_name(&format!("{kind} {text}"))
}

/// Returns a text as the name of a macro: words in capitals.
fn macro_name(text: &str) -> String {
    let words =
        text.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(str::to_ascii_uppercase).collect::<Vec<_>>().join("_");
    match name.starts_with(|first: char| first.is_ascii_digit()) || name.is_empty() {
        true => format!("SPVB_{name}"),
        false => name,
    }
}
