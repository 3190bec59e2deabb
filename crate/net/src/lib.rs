//! Links to a relay and the loop that drives a room over one.
