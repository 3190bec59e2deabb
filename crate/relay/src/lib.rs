//! The relay: WebSockets, the web app and metrics on one port.
