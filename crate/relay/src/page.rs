//! The web app's files.

use crate::Page;
use axum::body::Body;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::borrow::Cow;
use std::path::{Component, Path};

#[derive(RustEmbed)]
#[folder = "../../www/dist"]
#[allow_missing = true]
struct Dist;

/// What to say where the web app should be.
const NOT_BUILT: &str = "The web app is not built yet. Run: cargo xtask serve\n";

/// A file's name never means two things: it holds a hash of its content.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Asked for anew each time; a 304 if it is the same.
const ASK_FIRST: &str = "no-cache";

/// Encodings that the build makes beside each file, the best first.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// Answers a request for a file.
pub(crate) fn file(page: &Page, path: &str, headers: &HeaderMap) -> Response {
    let name = path.trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    match read(page, name) {
        Some(plain) => present(page, name, plain, headers),
        None if name == "index.html" => (StatusCode::SERVICE_UNAVAILABLE, NOT_BUILT).into_response(),
        None => (StatusCode::NOT_FOUND, "Nothing here.\n").into_response(),
    }
}

/// The file as the browser takes it.
fn present(page: &Page, name: &str, plain: EmbeddedFile, headers: &HeaderMap) -> Response {
    let encoded = ENCODINGS.iter().filter(|(encoding, _)| accepts(headers, encoding));
    let encoded = encoded.filter_map(|(encoding, suffix)| Some((*encoding, read(page, &format!("{name}.{suffix}"))?)));
    let (encoding, file) = encoded.map(|(encoding, file)| (Some(encoding), file)).next().unwrap_or((None, plain));
    let tag = tag(&file);
    let caching = if name.starts_with("assets/") { FOR_EVER } else { ASK_FIRST };
    let is_known = headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { body(file).into_response() };
    let mut set = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    };
    set(CONTENT_TYPE, content_type(name));
    set(CACHE_CONTROL, caching);
    set(VARY, "accept-encoding");
    set(ETAG, &tag);
    if let Some(encoding) = encoding {
        set(CONTENT_ENCODING, encoding);
    }
    response
}

fn read(page: &Page, name: &str) -> Option<EmbeddedFile> {
    let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    match page {
        _ if !is_inside => None,
        Page::None => None,
        Page::Embedded => Dist::get(name),
        Page::Folder(folder) => rust_embed::utils::read_file_from_fs(&folder.join(name)).ok(),
    }
}

fn body(file: EmbeddedFile) -> Body {
    match file.data {
        Cow::Borrowed(bytes) => Body::from(Bytes::from_static(bytes)),
        Cow::Owned(bytes) => Body::from(bytes),
    }
}

fn tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let hex: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

/// Whether an encoding is named and not forbidden.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let lists = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|item| {
        let mut parts = item.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        is_named && !parts.any(|weight| weight.strip_prefix("q=").is_some_and(is_zero))
    })
}

fn is_zero(weight: &str) -> bool {
    weight.parse::<f32>().is_ok_and(|weight| weight == 0.0)
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_taken_if_they_are_not_forbidden() {
        let accepts = |list: &str, encoding| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_str(list).unwrap());
            super::accepts(&headers, encoding)
        };
        assert!(accepts("gzip, deflate, br", "br"));
        assert!(accepts("BR;q=0.5", "br"));
        assert!(!accepts("br;q=0, gzip", "br"));
        assert!(!accepts("br;q=0.000", "br"));
        assert!(!accepts("brotli", "br"));
        assert!(!super::accepts(&HeaderMap::new(), "br"));
    }

    #[test]
    fn nothing_outside_of_the_folder_is_read() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("www")).unwrap();
        std::fs::write(folder.path().join("secret"), "s").unwrap();
        std::fs::write(folder.path().join("www/open"), "o").unwrap();
        let page = Page::Folder(folder.path().join("www"));
        assert!(read(&page, "open").is_some());
        for name in ["../secret", "/secret", "x/../../secret", ".", ""] {
            assert!(read(&page, name).is_none(), "{name}");
            assert!(read(&Page::Embedded, name).is_none(), "{name}");
        }
    }
}
