//! Reads a module and answers questions about it; changes nothing.
