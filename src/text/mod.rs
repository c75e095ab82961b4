//! Text formats and spelling suggestions. They read files and names, independent of modules.

pub mod csv;
pub mod spelling;
pub mod yaml;
