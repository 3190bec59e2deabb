//! Limits the number of connections, and knows when the last one is gone.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many connections and no more: while all places are taken, nobody is let in, and the kernel
/// keeps the next ones waiting.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    free: Arc<Semaphore>,
    count: u32,
}

/// One connection's place; free again when it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    _permit: OwnedSemaphorePermit,
}

impl Places {
    pub(crate) fn new(count: usize) -> Self {
        let count = u32::try_from(count.min(Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        Self { free: Arc::new(Semaphore::new(count as usize)), count }
    }

    /// Waits for a place. None when the relay stops.
    pub(crate) async fn take(&self) -> Option<Place> {
        let permit = Arc::clone(&self.free).acquire_owned().await.ok()?;
        Some(Place { _permit: permit })
    }

    /// Waits until all places are free.
    pub(crate) async fn all_free(&self) {
        drop(self.free.acquire_many(self.count).await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn a_place_is_free_again_when_dropped() {
        let places = Places::new(2);
        let (first, second) = (places.take().await, places.take().await);
        assert!(places.take().now_or_never().is_none());
        drop(first);
        assert!(places.take().now_or_never().flatten().is_some());
        assert!(places.all_free().now_or_never().is_none());
        drop(second);
        places.all_free().await;
    }
}
