//! Text formats and spelling suggestions: what reads files and names, and knows nothing of modules.

pub mod csv;
pub mod spelling;
pub mod yaml;
