//! What is where: `/ws`, `/healthz`, `/metrics`, and the web app.

use crate::accept::Peer;
use crate::limits::{MESSAGE_BYTES_MAX, READ_BUFFER_BYTES, WRITE_BUFFER_BYTES, WRITE_BUFFER_BYTES_MAX};
use crate::relay::Shared;
use crate::{connection, headers, origin, page};
use axum::Router;
use axum::extract::{Extension, State, WebSocketUpgrade};
use axum::http::header::{CACHE_CONTROL, HeaderMap};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;
use undertone_wire::SUBPROTOCOL;

/// All routes.
pub(crate) fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/ws", get(websocket))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/metrics", get(metrics))
        .fallback(file)
        .layer(from_fn(headers::add))
        .with_state(shared)
}

async fn websocket(
    State(shared): State<Arc<Shared>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !origin::is_welcome(&headers, &shared.origins) {
        return (StatusCode::FORBIDDEN, "This page may not connect here.\n").into_response();
    }
    let upgrade = upgrade.protocols([SUBPROTOCOL]);
    if upgrade.selected_protocol().is_none() {
        return (StatusCode::BAD_REQUEST, "This relay speaks undertone.v1.\n").into_response();
    }
    let upgrade = upgrade.read_buffer_size(READ_BUFFER_BYTES).write_buffer_size(WRITE_BUFFER_BYTES);
    let upgrade = upgrade.max_write_buffer_size(WRITE_BUFFER_BYTES_MAX);
    let upgrade = upgrade.max_message_size(MESSAGE_BYTES_MAX).max_frame_size(MESSAGE_BYTES_MAX);
    upgrade.on_upgrade(async move |socket| {
        connection::serve(shared, socket, peer.address).await;
        drop(peer);
    })
}

async fn metrics(State(shared): State<Arc<Shared>>) -> impl IntoResponse {
    ([(CACHE_CONTROL, "no-store")], shared.metrics.text(shared.hub.totals(), shared.switchboard.count()))
}

async fn file(State(shared): State<Arc<Shared>>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    page::file(&shared.page, uri.path(), &headers)
}
