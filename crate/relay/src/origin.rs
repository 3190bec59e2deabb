//! Which pages may open a WebSocket.
//!
//! A browser sends the page's origin with the handshake. A page of another site could otherwise use
//! its visitor's network to reach a relay inside it; programs that send no origin are not browsers.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// The `Host` header, if it can be one: letters, digits and the signs of names, addresses and ports.
pub(crate) fn host(headers: &HeaderMap) -> Option<&str> {
    let host = headers.get(HOST)?.to_str().ok()?;
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    (!host.is_empty() && host.len() <= HOST_BYTES_MAX && host.bytes().all(fits)).then_some(host)
}

/// A name of 253 bytes, a colon and a port.
const HOST_BYTES_MAX: usize = 259;

/// Whether the page that asks is this relay's own or a named one, or no page asks.
pub(crate) fn is_welcome(headers: &HeaderMap, named: &[String]) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let Some(from) = origin.to_str().ok().and_then(|it| it.strip_prefix("http")) else { return false };
    let Some(from) = from.strip_prefix("s").unwrap_or(from).strip_prefix("://") else { return false };
    let is_own = host(headers).is_some_and(|host| host.eq_ignore_ascii_case(from));
    is_own || named.iter().any(|it| it.eq_ignore_ascii_case(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        headers
    }

    #[test]
    fn its_own_pages_and_named_ones() {
        let named = ["class.example".to_owned()];
        let welcome = |host, origin| is_welcome(&headers(host, origin), &named);
        assert!(welcome("relay.test:8080", None));
        assert!(welcome("relay.test:8080", Some("http://relay.test:8080")));
        assert!(welcome("relay.test", Some("https://Relay.Test")));
        assert!(welcome("relay.test", Some("https://class.example")));
        for origin in
            ["http://relay.test", "http://relay.test:8081", "null", "file://", "http://relay.test:8080.evil", ""]
        {
            assert!(!welcome("relay.test:8080", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn a_host_holds_nothing_that_a_policy_would_read() {
        assert_eq!(host(&headers("[::1]:80", None)), Some("[::1]:80"));
        for bad in ["", "a; script-src *", "a b", "a,b", "a'b", &"a".repeat(300)] {
            assert_eq!(host(&headers(bad, None)), None, "{bad}");
        }
    }
}
