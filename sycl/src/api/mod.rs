mod add_on;
pub mod check;
pub mod declarations;
mod post_link;
pub mod program;
pub mod split;
