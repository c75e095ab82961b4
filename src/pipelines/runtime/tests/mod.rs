mod errors;
mod kernels;
mod select;
mod shaders;
mod support;
