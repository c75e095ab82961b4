//! Checks of the project as a whole: its layers, its public items, its dependencies, its fixtures, its words, and its pages.

#![allow(clippy::unwrap_used)]

mod architecture;
mod citations;
mod coverage;
mod dependencies;
mod fixtures;
mod missing_kinds;
mod packaging;
mod pages;
mod public_items;
mod setting_names;
mod sources;
mod vulkan_names;
mod words;
