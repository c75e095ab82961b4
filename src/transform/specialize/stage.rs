//! What of a call depends only on which constants have values, and not on these: it is found once for calls in which the same ones have.

use std::sync::{Arc, OnceLock};

use spirv::Op;

use super::attributes::{self, Attributes};
use super::freeze::{self, Frozen};
use super::{Flags, Work, reflection};

/// The state before branches are folded.
#[derive(Debug)]
pub struct Stage {
    pub frozen: Frozen,
    pub attributes: Attributes,
    /// The ids with flags, each in one word: flags are the lowest byte, and ids have 24 bits at most.
    flags: Vec<u32>,
    seeds: Vec<u32>,
    /// The number of constants that became ordinary ones.
    count: usize,
}

/// The stage of the first call, with the constants that have values in it, in bits. Others are not kept: calls in turn would replace each other's.
#[derive(Debug, Default)]
pub struct FirstStage(OnceLock<(Vec<u64>, Arc<Stage>)>);

impl Stage {
    /// Finds it, or takes it from a call before.
    pub fn reach(work: &mut Work) -> Arc<Stage> {
        let keeps = work.decided.filter(|decided| decided.before().is_some() && !work.keep_interface);
        let Some(decided) = keeps else { return Arc::new(Stage::find(work)) };
        if let Some((known, stage)) = decided.first_stage().0.get() {
            if !decided.known().eq(known.iter().copied()) {
                return Arc::new(Stage::find(work));
            }
            let flagged = stage.flags.iter().map(|&word| (word >> 8, Flags::from_bits_retain(word as u8)));
            flagged.for_each(|(id, flags)| work.flags.set(id, flags));
            work.seeds.extend_from_slice(&stage.seeds);
            work.report.frozen = stage.count;
            return Arc::clone(stage);
        }
        let mut stage = Stage::find(work);
        // Literals of execution modes are values, and what describes something inside of a function may be removed with that.
        let is_kept = stage.attributes.inside.is_empty()
            && work.module.execution_modes().all(|mode| !mode.is(Op::ExecutionModeId));
        if !is_kept {
            return Arc::new(stage);
        }
        stage.flags = work.flags.all().map(|(id, flags)| id << 8 | u32::from(flags.bits())).collect();
        stage.flags.shrink_to_fit();
        stage.attributes.edges.shrink_to_fit();
        stage.seeds.clone_from(&work.seeds);
        stage.count = work.report.frozen;
        let stage = Arc::new(stage);
        // Where another thread was first, this is as good.
        let _ = decided.first_stage().0.set((decided.known().collect(), Arc::clone(&stage)));
        stage
    }

    fn find(work: &mut Work) -> Stage {
        let frozen = freeze::freeze(work);
        reflection::find(work);
        let attributes = attributes::collect(work, &frozen);
        Stage { frozen, attributes, flags: Vec::new(), seeds: Vec::new(), count: 0 }
    }
}
