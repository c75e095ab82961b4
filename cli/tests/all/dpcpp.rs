//! DPC++, whose compiler is in a library (`scripts/compilers/dpcpp.c`): it writes the fixtures that it made, byte for byte.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::common::{in_share, root};
use crate::registry::{ignored_without, needing_tools};

/// The folders of its fixtures.
const FOLDERS: [&str; 2] = ["fixtures/dpcpp", "fixtures/rejected"];

/// Shares of the fixtures.
const SHARES: usize = 3;

pub fn trials() -> Vec<Trial> {
    let missing = (!compiler().exists()).then_some("scripts/setup.sh dpcpp");
    let lines = FOLDERS.iter().flat_map(|folder| BuildLine::in_folder(&root().join(folder)));
    let shared = lines.enumerate().filter(|(number, _)| in_share(*number, SHARES));
    let trial = |(_, line): (usize, BuildLine)| {
        let title = format!("dpcpp::{}", line.name);
        ignored_without(needing_tools(title, move || Ok(line.writes_fixture()?)), missing)
    };
    shared.map(trial).collect()
}

fn compiler() -> PathBuf {
    root().join("target/tools/bin/dpcpp")
}

/// A line of a source that says how a module is built.
struct BuildLine {
    source: PathBuf,
    name: String,
    arguments: String,
}

impl BuildLine {
    /// The lines of the sources in a folder.
    fn in_folder(folder: &Path) -> Vec<BuildLine> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut sources: Vec<PathBuf> =
            entries.filter(|path| path.extension().is_some_and(|ending| ending == "cpp")).collect();
        sources.sort();
        let mut lines = Vec::new();
        for source in sources {
            let text = std::fs::read_to_string(&source).unwrap();
            let builds =
                text.lines().filter_map(|line| line.strip_prefix("// BUILD ")?.split_once(": dpcpp "));
            lines.extend(builds.map(|(name, arguments)| BuildLine {
                source: source.clone(),
                name: name.to_owned(),
                arguments: arguments.to_owned(),
            }));
        }
        lines
    }

    /// Compiles the module and compares it with the fixture.
    fn writes_fixture(&self) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let output = folder.path().join("out.spv");
        let mut command = Command::new(compiler());
        command.current_dir(self.source.parent().unwrap());
        for argument in self.arguments.split(' ') {
            match argument {
                "%o" => command.arg(&output),
                "%s" => command.arg(self.source.file_name().unwrap()),
                other => command.arg(other),
            };
        }
        let ended = command.output().map_err(|error| error.to_string())?;
        if !ended.status.success() {
            return Err(String::from_utf8_lossy(&ended.stderr).into_owned());
        }
        let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
        let fixture = self.source.with_file_name(format!("{}.spv", self.name));
        match read(&output)? == read(&fixture)? {
            true => Ok(()),
            false => Err(format!("{} is another module", fixture.display())),
        }
    }
}
