//! What a device offers: a way to the relay, a clock, and the patience to wait.

use bytes::Bytes;
use core::fmt;
use core::future::Future;
use futures_util::{Sink, Stream};

/// The link is down, or never came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkError;

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the link to the relay is down")
    }
}

impl std::error::Error for LinkError {}

/// A connection to a relay: whole messages in both directions.
pub trait Link: Stream<Item = Result<Bytes, LinkError>> + Sink<Bytes, Error = LinkError> + Unpin {}

impl<T: Stream<Item = Result<Bytes, LinkError>> + Sink<Bytes, Error = LinkError> + Unpin> Link for T {}

/// What differs between a native process and a browser.
pub trait Platform {
    /// Its kind of connection.
    type Link: Link;

    /// Connects to the relay.
    fn connect(&self) -> impl Future<Output = Result<Self::Link, LinkError>> + 'static;

    /// Waits.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()> + 'static;

    /// Milliseconds on a clock that never goes back.
    fn now_ms(&self) -> u64;
}
