//! The queue of pictures: one is decoded at a time. A client's pictures wait for each other first,
//! so that clients take turns, however many pictures one sends.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::sync::{Mutex as Place, OwnedMutexGuard};

/// The place at the decoder, and one in the queue for each client with pictures.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    decoder: Arc<Place<()>>,
    clients: Arc<Mutex<HashMap<String, Weak<Place<()>>>>>,
}

/// The right to decode a picture, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _decoder: OwnedMutexGuard<()>,
    _client: OwnedMutexGuard<()>,
}

impl Turns {
    /// Waits for a turn of `client`.
    pub(crate) async fn wait(&self, client: String) -> Turn {
        let place = self.place_of(client);
        let client = place.lock_owned().await;
        Turn {
            _decoder: self.decoder.clone().lock_owned().await,
            _client: client,
        }
    }

    fn place_of(&self, client: String) -> Arc<Place<()>> {
        let mut clients = self.clients.lock();
        clients.retain(|_, place| place.strong_count() > 0);
        if let Some(place) = clients.get(&client).and_then(Weak::upgrade) {
            return place;
        }
        let place = Arc::default();
        clients.insert(client, Arc::downgrade(&place));
        place
    }
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;
    use std::sync::Arc;

    use tokio::task::{JoinHandle, yield_now};

    use super::Turns;

    /// Queues a picture; the client's name is recorded when it has its turn.
    async fn picture(
        turns: &Turns,
        order: &Arc<Mutex<Vec<&'static str>>>,
        client: &'static str,
    ) -> JoinHandle<()> {
        let (turns, order) = (turns.clone(), order.clone());
        let task = tokio::spawn(async move {
            let _turn = turns.wait(client.to_owned()).await;
            order.lock().push(client);
        });
        yield_now().await;
        task
    }

    #[tokio::test]
    async fn clients_take_turns_and_who_gives_up_has_none() {
        let (turns, order) = (Turns::default(), Arc::default());
        let first = turns.wait("many".to_owned()).await;
        let mut tasks = Vec::new();
        for client in ["one", "many", "many", "gone", "two", "two", "many"] {
            tasks.push(picture(&turns, &order, client).await);
        }
        tasks.remove(3).abort();
        assert!(order.lock().is_empty(), "one at a time");
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        let expected = ["one", "two", "many", "two", "many", "many"];
        assert_eq!(*order.lock(), expected);
        drop(turns.wait("later".to_owned()).await);
    }
}
