mod errors;
mod kernels;
mod recorded;
mod select;
mod shaders;
mod support;
