//! Addresses of relays and pages.

use undertone_machine::{Fault, FaultCode};
use url::Url;

/// The relay's WebSocket address, from that of its page or of an invite's link.
pub(crate) fn socket(page: &str) -> Result<String, Fault> {
    let bad = || {
        let message = "The relay's address must look like http://localhost:8080 or https://sums.example.";
        Fault::new(FaultCode::BadInvite).in_field("relay").saying(message)
    };
    let mut url = Url::parse(page).map_err(|_| bad())?;
    let scheme = match url.scheme() {
        "http" | "ws" => "ws",
        "https" | "wss" => "wss",
        _ => return Err(bad()),
    };
    url.set_scheme(scheme).map_err(|()| bad())?;
    url.set_fragment(None);
    url.set_query(None);
    url.set_path("/ws");
    Ok(url.into())
}

/// The link that people open: the page with the invite in its fragment.
pub(crate) fn link(page: &str, invite: &str) -> String {
    let page = page.trim_end_matches('/');
    format!("{page}/#{invite}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_follow_from_pages_and_links() {
        assert_eq!(socket("http://localhost:8080").unwrap(), "ws://localhost:8080/ws");
        assert_eq!(socket("https://sums.example/#secret").unwrap(), "wss://sums.example/ws");
        assert_eq!(socket("localhost:8080").unwrap_err().field(), Some("relay"));
        assert_eq!(socket("four plain words here").unwrap_err().field(), Some("relay"));
        assert_eq!(link("http://localhost:8080/", "abc"), "http://localhost:8080/#abc");
    }
}
