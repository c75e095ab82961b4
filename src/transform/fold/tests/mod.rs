//! Constants that are set, the branches that they decide, and the blocks that these remove.

mod compare;
mod flow;
mod inlined;
mod local_values;
mod markers;
mod phis;
mod planted;
mod shapes;
mod unused;
