//! Traps: blocks behind a run-time branch that require a feature which a device does not have become traps that the host detects.
//!
//! `lacked` has the features, `required` the instructions that require one of them, and `regions` the blocks that lead to them inevitably: the first of
//! these, seen from the entry block, becomes a trap. `leaving` finds the functions in which a return ends the invocation, `signal` lets callers of
//! others leave, and `waiting` finds the instructions for which other invocations would wait. `retype` changes parameters that point to a missing
//! type. `constants` finds values of constants that make traps unnecessary. `analyses` keeps what is the same for all devices. `target` finds the word that is stored to, and `write` makes the edits. `unused` removes what nothing uses then.

mod analyses;
mod constants;
mod lacked;
mod leaving;
mod plan;
mod regions;
mod required;
mod retype;
mod signal;
mod target;
#[cfg(test)]
mod tests;
mod unused;
mod waiting;
mod write;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

pub use analyses::TrapAnalyses;
pub use constants::{DecidingValues, PresetConstants, TakenBranch};
pub use lacked::{LackedFeatures, PossibleRequirements};
pub use plan::TrapPlan;
pub use required::CodeRequirements;
pub use retype::retype;
pub use target::TargetError;
pub use unused::without_unused;
pub use write::{TrapEdits, write};

/// The way in which a trap ends an invocation, and the host detects it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trap {
    /// OpAbortKHR (SPV_KHR_abort): the device is lost.
    Abort,
    /// A store of 1 to an existing buffer, and a return from the entry point.
    Store {
        /// The kernel argument, by index or name, or the buffer, by name or as `SET.BINDING`.
        buffer: String,
        /// The offset of the 32-bit word in bytes, a multiple of 4.
        offset: u32,
    },
    /// A return from the entry point, which the host does not detect.
    Silent,
}

/// A text that is not a trap.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "invalid trap '{0}': expected abort, silent or store:BUFFER:OFFSET, where BUFFER is a kernel argument, by index or name, or a \
     buffer, by name or as SET.BINDING, and OFFSET is a number of bytes, a multiple of 4"
)]
pub struct TrapError(String);

impl FromStr for Trap {
    type Err = TrapError;

    fn from_str(text: &str) -> Result<Trap, TrapError> {
        let store = || {
            let (buffer, offset) = text.strip_prefix("store:")?.rsplit_once(':')?;
            let offset: u32 = offset.parse().ok().filter(|offset| offset % 4 == 0)?;
            (!buffer.is_empty()).then(|| Trap::Store { buffer: buffer.to_owned(), offset })
        };
        match text {
            "abort" => Ok(Trap::Abort),
            "silent" => Ok(Trap::Silent),
            _ => store().ok_or_else(|| TrapError(text.to_owned())),
        }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::Abort => f.write_str("abort"),
            Trap::Store { buffer, offset } => write!(f, "store:{buffer}:{offset}"),
            Trap::Silent => f.write_str("silent"),
        }
    }
}

/// A block, as reports and messages name it. It is displayed as `%21 of cast (cast.cl:7)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct BlockPlace {
    /// The function, as messages name it.
    pub function: String,
    /// The id of the block's label in the module before it is changed.
    pub block: u32,
    /// The place in the source, if the module has debug information.
    pub source: Option<String>,
}

impl fmt::Display for BlockPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{} of `{}`", self.block, self.function)?;
        self.source.iter().try_for_each(|source| write!(f, " ({source})"))
    }
}

/// A block that became a trap, with the blocks that only it leads to. It is displayed as a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TrappedBranch {
    /// The block.
    pub place: BlockPlace,
    /// The names of the required features that the device does not have.
    pub requires: Vec<String>,
    /// The trap.
    pub trap: Trap,
}

impl fmt::Display for TrappedBranch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {} requires {}: trap {}", self.place, self.requires.join(", "), self.trap)
    }
}

/// A block that requires a missing feature and cannot become a trap. It is displayed as a clause with the reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct UntrappedBranch {
    /// The block; the first one of a function that requires the feature on every path.
    pub place: BlockPlace,
    /// The names of the required features that the device does not have.
    pub requires: Vec<String>,
    /// The reason.
    pub obstacle: TrapObstacle,
}

impl fmt::Display for UntrappedBranch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {} requires {}, and {}", self.place, self.requires.join(", "), self.obstacle)
    }
}

/// The traps in a module.
#[derive(Clone, Debug, Default)]
pub struct ModuleTraps {
    /// The blocks that became traps. Empty if some could not.
    pub trapped: Vec<TrappedBranch>,
    /// The blocks that would have to become traps and cannot.
    pub untrapped: Vec<UntrappedBranch>,
}

/// The reason why a block cannot become a trap. It is displayed as a clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TrapObstacle {
    /// The type of the function requires the feature.
    Signature,
    /// An OpPhi in a block that every path passes has a type that requires the feature.
    Phi,
    /// Every path through the function requires the feature.
    EveryPath,
    /// Other invocations would wait for this one, or read its values.
    Wait {
        /// The name of the instruction that follows.
        instruction: String,
        /// The block of the instruction.
        place: BlockPlace,
    },
    /// A call that leads to the function is in the header or the continue construct of a loop, which callers cannot leave.
    LoopCall(BlockPlace),
    /// Other modules may call the function.
    Exported,
    /// The block is in the continue construct of a loop, which must lead back to the loop.
    ContinueConstruct,
    /// Nothing else in the entry points that lead to the block has an effect.
    NothingLeft,
    /// The trap is to abort, and the device is not known to have OpAbortKHR.
    NoAbort,
}

impl fmt::Display for TrapObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrapObstacle::Signature => f.write_str("so does the type of the function"),
            TrapObstacle::Phi => f.write_str("an OpPhi of this type is in a block that every path passes"),
            TrapObstacle::EveryPath => f.write_str("so does every path through the function"),
            TrapObstacle::Wait { instruction, place } => {
                write!(
                    f,
                    "{instruction} may follow in block {place}, where other invocations wait for this one"
                )
            }
            TrapObstacle::LoopCall(place) => {
                write!(
                    f,
                    "the call in block {place} is in the header or the continue construct of a loop, which cannot be left there"
                )
            }
            TrapObstacle::Exported => f.write_str("other modules may call the function"),
            TrapObstacle::ContinueConstruct => f.write_str(
                "the block is in the continue construct of a loop, which must lead back to the loop",
            ),
            TrapObstacle::NoAbort => f.write_str(
                "the trap `abort` requires AbortKHR (SPV_KHR_abort), which the device is not known to have: let traps store to a buffer instead, \
                 with store:BUFFER:OFFSET",
            ),
            TrapObstacle::NothingLeft => f.write_str("nothing else that the entry point does has an effect"),
        }
    }
}
