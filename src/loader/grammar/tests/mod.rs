mod enumerants;
mod newest;
