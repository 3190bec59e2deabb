//! `undertone serve`.

use crate::args::Serve;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use std::path::Path;
use undertone_machine::{Fault, FaultCode};
use undertone_relay::{Config, EmbeddedStore, Limits, Page, Running, TapTo, start};

/// Runs a relay until it is told to stop.
///
/// # Errors
/// [`FaultCode::BadCall`] if the address or the tap's file cannot be used, [`FaultCode::StoreFailed`]
/// if the store's file cannot be, or no longer.
pub(crate) async fn serve(args: Serve) -> Result<(), Fault> {
    let mut config = Config::new(args.listen);
    if let Some(folder) = args.page {
        config.page = Page::Folder(folder);
    }
    if let Some(file) = &args.tap {
        eprintln!("Every frame that this relay sees is written to {}.", file.display());
    }
    config.tap = args.tap.map(TapTo::File);
    if let Some(file) = &args.store {
        config.store = Box::new(open_store(file)?);
    }
    // Behind another address there may be a proxy, and then everyone seems to come from here.
    if !args.listen.ip().is_loopback() || args.url.is_some() {
        config.limits = Limits::default();
    }
    let listen = args.listen;
    let cannot =
        |error| Fault::new(FaultCode::BadCall).in_field("listen").saying(format!("Cannot serve on {listen}: {error}."));
    let relay = start(config).await.map_err(cannot)?;
    let url = args.url.unwrap_or_else(|| page_url(relay.local_addr()));
    println!("{}\nUndertone is at {url}\nStop with Ctrl-C.", qr(&url));
    let ended = until_told(&relay).await;
    relay.shutdown().await;
    ended
}

/// Waits for Ctrl-C, or for the end of the store.
async fn until_told(relay: &Running) -> Result<(), Fault> {
    tokio::select! {
        _ = tokio::signal::ctrl_c() => Ok(()),
        () = relay.store_failed() => {
            let message = "The store's file can no longer be read or written. Nothing that was acknowledged is lost: \
                           start the relay again when the disk works.";
            Err(Fault::new(FaultCode::StoreFailed).in_field("store").saying(message))
        }
    }
}

fn open_store(file: &Path) -> Result<EmbeddedStore, Fault> {
    let cannot = |error| {
        let message = format!("Cannot keep rooms in {}: {error}.", file.display());
        Fault::new(FaultCode::StoreFailed).in_field("store").saying(message)
    };
    let store = EmbeddedStore::open(file).map_err(cannot)?;
    let cut = store.cut();
    if cut.entries > 0 {
        eprintln!(
            "WARNING: THE STORE IS DAMAGED. {} entries of {} rooms are lost; look after the disk.",
            cut.entries, cut.rooms
        );
    }
    eprintln!("Rooms are kept in {}.", file.display());
    Ok(store)
}

/// Browsers grant a page on `localhost` more than one on a bare loopback address.
fn page_url(address: std::net::SocketAddr) -> String {
    if address.ip().is_loopback() {
        format!("http://localhost:{}", address.port())
    } else {
        format!("http://{address}")
    }
}

/// A QR code for a terminal; empty if the text is too long for one.
pub(crate) fn qr(text: &str) -> String {
    let code = QrCode::new(text.as_bytes());
    code.map(|code| code.render::<Dense1x2>().quiet_zone(true).build()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_called_by_the_name_that_browsers_trust() {
        assert_eq!(page_url(([127, 0, 0, 1], 80).into()), "http://localhost:80");
        assert_eq!(page_url(([192, 168, 0, 9], 8080).into()), "http://192.168.0.9:8080");
        assert!(qr("http://localhost:8080").lines().count() > 10);
    }
}
