//! The relay without input and output: log, pipe, limits, store.
