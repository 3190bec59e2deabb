//! The web app, as a browser asks for it.

use crate::client::{config, get, http, relay};
use std::fs;
use std::net::SocketAddr;
use tempfile::TempDir;
use undertone_relay::{Config, Page, Running, start};

async fn with_page() -> (Running, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    fs::create_dir(folder.path().join("assets")).unwrap();
    write("index.html", "<!doctype html>");
    write("sw.js", "// worker");
    write("manifest.webmanifest", "{}");
    write("assets/app-1a2b.js", "plain script");
    write("assets/app-1a2b.js.br", "as brotli");
    write("assets/app-1a2b.js.gz", "as gzip");
    write("assets/sums-3c4d.wasm", "wasm");
    let page = Page::Folder(folder.path().to_owned());
    (start(Config { page, ..config() }).await.unwrap(), folder)
}

fn header<'a>(head: &'a str, name: &str) -> &'a str {
    let prefix = format!("{name}: ");
    head.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap_or_else(|| panic!("no {name} in {head}"))
}

async fn kind_and_caching(relay: SocketAddr, path: &str) -> (String, String) {
    let (head, _) = get(relay, path, "").await;
    assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
    (header(&head, "content-type").into(), header(&head, "cache-control").into())
}

#[tokio::test]
async fn files_have_their_types_and_their_caching() {
    let (relay, _folder) = with_page().await;
    let (forever, ask) = ("public, max-age=31536000, immutable", "no-cache");
    let expected = [
        ("/", "text/html; charset=utf-8", ask),
        ("/index.html", "text/html; charset=utf-8", ask),
        ("/sw.js", "text/javascript; charset=utf-8", ask),
        ("/manifest.webmanifest", "application/manifest+json", ask),
        ("/assets/app-1a2b.js", "text/javascript; charset=utf-8", forever),
        ("/assets/sums-3c4d.wasm", "application/wasm", forever),
    ];
    for (path, kind, caching) in expected {
        assert_eq!(kind_and_caching(relay.local_addr(), path).await, (kind.into(), caching.into()), "{path}");
    }
    assert!(get(relay.local_addr(), "/nothing", "").await.0.starts_with("http/1.1 404"));
    assert!(get(relay.local_addr(), "/assets/../../x", "").await.0.starts_with("http/1.1 404"));
}

#[tokio::test]
async fn the_best_encoding_that_the_browser_takes() {
    let (relay, _folder) = with_page().await;
    for (accepted, encoding, body) in [
        ("gzip, deflate, br", Some("br"), "as brotli"),
        ("gzip", Some("gzip"), "as gzip"),
        ("br;q=0, gzip", Some("gzip"), "as gzip"),
        ("identity", None, "plain script"),
    ] {
        let more = format!("Accept-Encoding: {accepted}\r\n");
        let (head, got) = get(relay.local_addr(), "/assets/app-1a2b.js", &more).await;
        assert_eq!((got.as_str(), header(&head, "vary")), (body, "accept-encoding"));
        assert_eq!(encoding.is_some(), head.contains("content-encoding"), "{accepted}");
        assert!(encoding.is_none_or(|it| header(&head, "content-encoding") == it));
        assert_eq!(header(&head, "content-type"), "text/javascript; charset=utf-8");
    }
}

#[tokio::test]
async fn an_unchanged_file_is_not_sent_again() {
    let (relay, folder) = with_page().await;
    let (head, _) = get(relay.local_addr(), "/", "").await;
    let known = format!("If-None-Match: {}\r\n", header(&head, "etag"));
    let (head, body) = get(relay.local_addr(), "/", &known).await;
    assert!(head.starts_with("http/1.1 304") && body.is_empty(), "{head}");
    fs::write(folder.path().join("index.html"), "changed").unwrap();
    assert!(get(relay.local_addr(), "/", &known).await.0.starts_with("http/1.1 200"));
}

#[tokio::test]
async fn every_answer_carries_the_pages_protection() {
    let (relay, _folder) = with_page().await;
    let address = relay.local_addr();
    for path in ["/", "/sw.js", "/nothing", "/healthz", "/metrics"] {
        let (head, _) = get(address, path, "").await;
        let policy = header(&head, "content-security-policy");
        for rule in [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            &format!("connect-src 'self' ws://{address} wss://{address}"),
            "style-src 'self'",
            "img-src 'self' blob: data:",
            "font-src 'self'",
            "worker-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types undertone lit-html",
        ] {
            assert!(policy.split("; ").any(|it| it == rule), "{rule} in {policy}");
        }
        assert_eq!(header(&head, "cross-origin-opener-policy"), "same-origin");
        assert_eq!(header(&head, "cross-origin-embedder-policy"), "require-corp");
        assert_eq!(header(&head, "cross-origin-resource-policy"), "same-origin");
        assert_eq!(header(&head, "referrer-policy"), "no-referrer");
        assert_eq!(header(&head, "x-content-type-options"), "nosniff");
        assert!(header(&head, "permissions-policy").contains("camera=(self)"));
    }
}

#[tokio::test]
async fn a_strange_host_gets_into_no_policy() {
    let (relay, _folder) = with_page().await;
    let (head, _) =
        http(relay.local_addr(), "GET / HTTP/1.1\r\nHost: a;script-src *\r\nConnection: close\r\n\r\n").await;
    assert!(!head.contains("ws://") && !head.contains("script-src *"), "{head}");
}

#[tokio::test]
async fn a_relay_without_a_page_says_how_to_get_one() {
    let relay = relay().await;
    let (head, body) = get(relay.local_addr(), "/", "").await;
    assert!(head.starts_with("http/1.1 503") && body.contains("cargo xtask serve"), "{head}");
    assert_eq!(get(relay.local_addr(), "/healthz", "").await.1, "ok\n");
}

#[tokio::test]
async fn only_reading_is_offered() {
    let (relay, _folder) = with_page().await;
    let ask = async |method: &str| {
        http(relay.local_addr(), &format!("{method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")).await
    };
    assert!(ask("POST").await.0.starts_with("http/1.1 405"));
    let (head, body) = ask("HEAD").await;
    assert!(head.starts_with("http/1.1 200") && body.is_empty());
}
