//! STUB
use crate::loader::Module;
use std::collections::BTreeMap;
use thiserror::Error;
/// x
#[derive(Clone, Copy, Debug)]
pub struct Input<'m> {
    /// x
    pub name: &'m str,
    /// x
    pub module: &'m Module<'m>,
}
/// x
pub struct Linked {
    /// x
    pub words: Vec<u32>,
    /// x
    pub sources: BTreeMap<u32, usize>,
}
/// x
#[derive(Debug, Error)]
pub enum LinkError {
    /// x
    #[error("x")]
    X,
}
/// x
pub fn link(_: &[Input]) -> Result<Linked, LinkError> {
    Err(LinkError::X)
}
