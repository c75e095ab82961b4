//! Constants that are set, the branches that they decide, and what goes with these.

mod compare;
mod flow;
mod phis;
mod planted;
mod shapes;
