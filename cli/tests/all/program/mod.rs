//! Tests of the program that do not fit into a case of `cli/tests/cases`.

#[cfg(unix)]
mod ci;
mod concepts;
#[cfg(unix)]
mod embed;
#[cfg(unix)]
mod files;
mod frontends;
pub mod headers;
mod hermetic;
mod html;
mod inspect;
#[cfg(target_os = "linux")]
mod killed;
mod library;
mod linked;
mod many_conditions;
mod parts;
mod post_link;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod progress;
mod properties;
mod readme;
mod sarif;
#[cfg(unix)]
mod shell;

use libtest_mimic::Trial;

/// The tests of all of them.
pub fn trials() -> Vec<Trial> {
    let mut trials = library::trials();
    trials.extend(concepts::trials());
    #[cfg(unix)]
    trials.extend(ci::trials());
    #[cfg(unix)]
    trials.extend(embed::trials());
    #[cfg(unix)]
    trials.extend(files::trials());
    trials.extend(frontends::trials());
    trials.extend(headers::trials());
    trials.extend(hermetic::trials());
    trials.extend(inspect::trials());
    #[cfg(target_os = "linux")]
    trials.extend(killed::trials());
    trials.extend(linked::trials());
    trials.extend(many_conditions::trials());
    trials.extend(parts::trials());
    trials.extend(post_link::trials());
    #[cfg(target_os = "linux")]
    trials.extend(probe::trials());
    #[cfg(target_os = "linux")]
    trials.extend(progress::trials());
    trials.extend(properties::trials());
    trials.extend(readme::trials());
    trials.extend(html::trials());
    trials.extend(sarif::trials());
    #[cfg(unix)]
    trials.extend(shell::trials());
    trials
}
