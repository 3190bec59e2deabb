//! The ledger of a browser's seat: one transaction of a database for each entry.
//!
//! A database of a browser is reached from JavaScript, so the page's script does the transaction
//! (`www/src/seat`) and this is what it has to offer for it. Believed is nothing but bytes read back.

use crate::{Ledger, LedgerError};
use js_sys::{Promise, Uint8Array};
use undertone_machine::Secret;
use undertone_prim::codec::{DecodeError, Reader};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// The script's side of one seat: `CoreLedger` in the web app's `keeper.ts`.
    #[derive(Debug)]
    pub type Shelf;

    #[wasm_bindgen(method)]
    fn open(this: &Shelf, room: Uint8Array, fresh: Uint8Array) -> Promise;

    #[wasm_bindgen(method)]
    fn add(this: &Shelf, key: &str, bytes: Uint8Array) -> Promise;
}

/// A seat that a browser keeps, by the script that keeps it.
#[derive(Debug)]
pub struct BrowserLedger {
    shelf: Shelf,
}

/// What a browser keeps of a seat.
#[derive(Debug)]
pub struct KeptSeat {
    /// Its person agreed to a small group.
    pub small_group: bool,
    /// All that it has to hide.
    pub secrets: Secret<Vec<u8>>,
    /// Everything it said.
    pub said: Vec<Vec<u8>>,
}

impl BrowserLedger {
    /// The ledger that a script keeps.
    #[must_use]
    pub const fn new(shelf: Shelf) -> Self {
        Self { shelf }
    }

    /// This device's seat in a room: the one that is kept, or one with these secrets, kept from now on. A
    /// host's room follows from its secrets, so its name is not looked at.
    ///
    /// # Errors
    /// [`LedgerError`] if another tab holds the seat, or if nothing can be kept or read.
    pub async fn open(&self, room: &[u8], fresh: &Secret<Vec<u8>>) -> Result<KeptSeat, LedgerError> {
        let kept = self.shelf.open(Uint8Array::from(room), Uint8Array::from(fresh.expose().as_slice()));
        let kept = Secret::new(answer(kept).await?);
        read(&mut Reader::new(kept.expose())).map_err(|DecodeError| LedgerError)
    }
}

impl Ledger for BrowserLedger {
    async fn add(&mut self, key: &str, bytes: &[u8]) -> Result<Vec<u8>, LedgerError> {
        answer(self.shelf.add(key, Uint8Array::from(bytes))).await
    }
}

/// What a script comes to.
async fn answer(promise: Promise) -> Result<Vec<u8>, LedgerError> {
    let bytes: Uint8Array = JsFuture::from(promise).await.and_then(JsCast::dyn_into).map_err(|_| LedgerError)?;
    let copy = bytes.to_vec();
    // What the script handed over may be a secret, and is needed no more.
    bytes.fill(0, 0, bytes.length());
    Ok(copy)
}

/// Whether its person agreed to a small group; its secrets and what it said, each with its length in front.
fn read(kept: &mut Reader<'_>) -> Result<KeptSeat, DecodeError> {
    let (small_group, secrets) = (kept.u8()? == 1, Secret::new(kept.bytes(BYTES_MAX)?.to_vec()));
    let mut said = Vec::new();
    while !kept.is_empty() {
        said.push(kept.bytes(BYTES_MAX)?.to_vec());
    }
    Ok(KeptSeat { small_group, secrets, said })
}

/// Far more than an entry has.
const BYTES_MAX: usize = 1 << 20;
