//! Answers of other tools, kept on disk: a second run asks only new questions.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Variable with the folder of the cache, which is below target by default.
const FOLDER: &str = "TRIM_PROOF_CACHE";

/// The answers of one build of spirv-tools: a line each, with the hash of the question first.
pub struct Cache {
    answers: Mutex<HashMap<u64, String>>,
    file: Mutex<File>,
}

impl Cache {
    /// Reads the answers of this build of spirv-tools.
    pub fn open(version: &str) -> Cache {
        let default_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/trim-proof");
        let folder = std::env::var_os(FOLDER).map_or(default_folder, PathBuf::from);
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{:016x}.txt", hash(&version)));
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        let answers = old.lines().filter_map(|line| {
            let (key, answer) = line.split_once(' ')?;
            Some((u64::from_str_radix(key, 16).ok()?, answer.to_string()))
        });
        let answers = Mutex::new(answers.collect());
        let file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        Cache { answers, file: Mutex::new(file) }
    }

    /// Returns the answer to a question about a module: the known one, or the first line of the answer of `ask`.
    pub fn answer(&self, words: &[u32], question: &str, ask: impl FnOnce() -> String) -> String {
        let key = hash(&(bytemuck::cast_slice::<u32, u8>(words), question));
        if let Some(answer) = self.answers.lock().unwrap().get(&key) {
            return answer.clone();
        }
        let answer = ask().lines().next().unwrap_or_default().to_string();
        // One write a line: a run that is cut off, or another beside it, leaves whole lines.
        let line = format!("{key:016x} {answer}\n");
        self.file.lock().unwrap().write_all(line.as_bytes()).unwrap();
        self.answers.lock().unwrap().insert(key, answer.clone());
        answer
    }
}

/// Returns the hash of a question.
pub fn hash(question: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    question.hash(&mut hasher);
    hasher.finish()
}
