//! The headers that every answer carries.

use crate::origin::host;
use axum::extract::Request;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::middleware::Next;
use axum::response::Response;

/// Those that are the same for all.
const FIXED: [(HeaderName, &str); 7] = [
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
];

/// The camera reads a QR code and the screen may stay on; the rest is nobody's business.
const PERMISSIONS: &str = "camera=(self), screen-wake-lock=(self), clipboard-write=(self), web-share=(self), \
    accelerometer=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), \
    payment=(), usb=()";

/// The page runs its own scripts and wasm, talks to this relay, and is nobody's frame.
const POLICY_HEAD: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";
const POLICY_TAIL: &str = "; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; worker-src 'self'; \
    manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types undertone lit-html";

/// Adds them.
pub(crate) async fn add(request: Request, next: Next) -> Response {
    let policy = policy(host(request.headers()));
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in FIXED {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Older browsers do not count a WebSocket to the same host as `'self'`, so it is named.
fn policy(host: Option<&str>) -> String {
    let sockets = host.map(|host| format!(" ws://{host} wss://{host}")).unwrap_or_default();
    format!("{POLICY_HEAD}{sockets}{POLICY_TAIL}")
}
