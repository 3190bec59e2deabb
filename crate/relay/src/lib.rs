//! The relay as a server: WebSockets, the web app and metrics on one port.
//!
//! All rules are in `undertone-relay-core`; here are sockets, queues and a clock. Two promises are
//! kept here and nowhere else: memory per connection is bounded whatever its owner does, and a
//! relay that stops tells everyone that it will be back.
//!
//! ```no_run
//! # async fn serve() -> std::io::Result<()> {
//! use undertone_relay::{Config, start};
//! let relay = start(Config::new(([127, 0, 0, 1], 8080).into())).await?;
//! println!("http://{}", relay.local_addr());
//! relay.shutdown().await;
//! # Ok(())
//! # }
//! ```

#![allow(clippy::disallowed_methods, reason = "an outer layer: it owns the clock that the rules are given")]

mod accept;
mod clock;
mod config;
mod connection;
mod headers;
mod kept;
mod limits;
mod mailbox;
mod metrics;
mod origin;
mod page;
mod places;
mod relay;
mod routes;
mod stores;
mod switchboard;
mod tap;

pub use config::{Config, Page, TapTo};
pub use limits::{
    ANSWERS_WAITING_MAX, CLOSING_MS, CONNECTIONS_MAX, FIRST_FRAME_MS, HEADER_BYTES_MAX, HEADER_READ_MS, HEADERS_MAX,
    LinkLimits, MESSAGE_BYTES_MAX, PING_MS, QUEUE_BYTES_MAX, QUEUE_FRAMES_MAX, QUEUE_PIPE_FRAMES_MAX,
    READ_BUFFER_BYTES, SILENCE_MS, STALL_MS, STOP_MS, WRITE_BUFFER_BYTES, WRITE_BUFFER_BYTES_MAX,
};
pub use relay::{Running, start};
pub use stores::{Cut, EmbeddedStore, MemoryStore, STORE_QUEUE_BYTES_MAX, STORE_QUEUE_ENTRIES_MAX};
pub use undertone_relay_core::{Limits, Loopback, Pace};
