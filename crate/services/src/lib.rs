//! One folder per protocol or statistic.
