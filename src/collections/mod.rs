//! Collections and sorting whose code is compiled once, not for each type that they hold.

mod gather;
mod ordered_map;
mod sorting;

pub use gather::gather;
pub use ordered_map::{IdMap, OrderedMap};
pub use sorting::{sort, sort_by, sort_by_key};

#[cfg(test)]
mod tests;
