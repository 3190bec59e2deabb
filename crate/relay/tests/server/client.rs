//! A device, and plain HTTP, without any of our client code.

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::Request;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, client_async};
use undertone_relay::{Config, Limits, LinkLimits, Pace, Page, Running, start};
use undertone_wire::{Author, Codec, Frame, Hash, SUBPROTOCOL, Token, room_of};

pub(crate) const HOST: Author = [1; 32];
pub(crate) const GUEST: Author = [2; 32];

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn room() -> Hash {
    room_of(&HOST)
}

/// An entry's header as the wire has it, and anything behind it.
pub(crate) fn entry(author: Author, sequence: u32, rest: &[u8]) -> Bytes {
    [&[1], &author[..], &sequence.to_be_bytes()[..], rest].concat().into()
}

/// No page, and no pace that a test would have to wait for.
pub(crate) fn config() -> Config {
    let limits = Limits { frames: Pace::UNLIMITED, bytes: Pace::UNLIMITED, ..Limits::local() };
    Config { page: Page::None, limits, ..Config::new(([127, 0, 0, 1], 0).into()) }
}

pub(crate) async fn relay() -> Running {
    start(config()).await.unwrap()
}

pub(crate) async fn relay_with(links: LinkLimits) -> Running {
    start(Config { links, ..config() }).await.unwrap()
}

/// What a connection says last: the close frame, or nothing.
pub(crate) type LastWord = Option<CloseFrame>;

pub(crate) struct Client {
    socket: WebSocketStream<TcpStream>,
}

impl Client {
    pub(crate) async fn connect(relay: SocketAddr) -> Self {
        Self::over(TcpStream::connect(relay).await.unwrap()).await
    }

    /// With a receive buffer so small that the relay notices at once when nobody reads.
    pub(crate) async fn narrow(relay: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4 << 10).unwrap();
        Self::over(socket.connect(relay).await.unwrap()).await
    }

    async fn over(stream: TcpStream) -> Self {
        let request = handshake(stream.peer_addr().unwrap());
        let (socket, response) = client_async(request, stream).await.unwrap();
        assert_eq!(response.headers()["sec-websocket-protocol"], SUBPROTOCOL);
        Self { socket }
    }

    /// Connected and seated, up to the `Attached` frame.
    pub(crate) async fn seated(relay: SocketAddr, author: Author) -> Self {
        let mut client = Self::connect(relay).await;
        client.attach(author, 0).await;
        client
    }

    pub(crate) async fn attach(&mut self, author: Author, from: u64) -> u64 {
        let token = Token([author[0]; 16]);
        self.send(&Frame::Attach { room: room(), author, token, from, open: author == HOST }).await;
        match self.next().await {
            Frame::Attached { head } => head,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn send(&mut self, frame: &Frame) {
        self.send_raw(Message::Binary(frame.to_bytes().into())).await;
    }

    pub(crate) async fn send_raw(&mut self, message: Message) {
        self.socket.send(message).await.unwrap();
    }

    pub(crate) async fn append(&mut self, author: Author, sequence: u32, rest: &[u8]) {
        self.send(&Frame::Append { entry: entry(author, sequence, rest) }).await;
    }

    /// The next frame.
    pub(crate) async fn next(&mut self) -> Frame {
        match self.next_or_close().await {
            Ok(frame) => frame,
            Err(last) => panic!("closed: {last:?}"),
        }
    }

    /// The next frame, or the end.
    pub(crate) async fn next_or_close(&mut self) -> Result<Frame, LastWord> {
        loop {
            match timeout(PATIENCE, self.socket.next()).await.unwrap() {
                Some(Ok(Message::Binary(bytes))) => return Ok(Frame::from_message(&bytes).unwrap()),
                Some(Ok(Message::Close(last))) => return Err(last),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(None),
            }
        }
    }

    /// The next message of any kind, pings too.
    pub(crate) async fn next_raw(&mut self) -> Option<Message> {
        timeout(PATIENCE, self.socket.next()).await.unwrap()?.ok()
    }

    /// The next entry, whatever else comes in between.
    pub(crate) async fn next_entry(&mut self) -> (u64, Bytes) {
        loop {
            if let Frame::Entry { sequence, entry } = self.next().await {
                return (sequence, entry);
            }
        }
    }

    /// The next acknowledgement, whatever else comes in between.
    pub(crate) async fn next_stored(&mut self) -> (u32, u64) {
        loop {
            if let Frame::Stored { own, sequence } = self.next().await {
                return (own, sequence);
            }
        }
    }

    /// The last frame before the end, and the close code.
    pub(crate) async fn end(&mut self) -> (Option<Frame>, Option<u16>) {
        let mut before = None;
        loop {
            match self.next_or_close().await {
                Ok(frame) => before = Some(frame),
                Err(last) => return (before, last.map(|it| it.code.into())),
            }
        }
    }
}

/// A handshake as our clients make it.
pub(crate) fn handshake(relay: SocketAddr) -> Request<()> {
    let mut request = format!("ws://{relay}/ws").into_client_request().unwrap();
    request.headers_mut().insert("sec-websocket-protocol", SUBPROTOCOL.parse().unwrap());
    request
}

/// What plain HTTP answers: status line and headers, and the body.
pub(crate) async fn http(relay: SocketAddr, request: &str) -> (String, String) {
    let mut stream = TcpStream::connect(relay).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.unwrap().unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    (head.to_lowercase(), body.to_owned())
}

pub(crate) async fn get(relay: SocketAddr, path: &str, more: &str) -> (String, String) {
    http(relay, &format!("GET {path} HTTP/1.1\r\nHost: {relay}\r\nConnection: close\r\n{more}\r\n")).await
}

/// Waits until the metrics hold a line.
pub(crate) async fn metrics_say(relay: SocketAddr, line: &str) {
    let wait = async {
        while !get(relay, "/metrics", "").await.1.lines().any(|it| it == line) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("never: {line}"));
}
