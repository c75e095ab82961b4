//! Reading annotations files.
