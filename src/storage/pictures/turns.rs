//! The queue of pictures: one is decoded at a time. Clients take turns, so that a client with many
//! pictures does not delay the others.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot::{self, Sender};

/// The waiting clients, and whether a picture is being decoded.
#[derive(Clone, Debug, Default)]
pub(in crate::storage) struct Turns(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    is_busy: bool,
    clients: VecDeque<Waiting>,
}

/// The pictures of one client, in the order of their arrival.
#[derive(Debug)]
struct Waiting {
    client: String,
    pictures: VecDeque<Sender<Turn>>,
}

/// The right to decode a picture, until it is dropped.
#[derive(Debug)]
pub(in crate::storage) struct Turn(Option<Turns>);

impl Turns {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock()
    }

    fn turn(&self) -> Turn {
        Turn(Some(self.clone()))
    }

    /// Waits for a turn of `client`.
    pub(in crate::storage) async fn wait(&self, client: String) -> Turn {
        let (give, turn) = oneshot::channel();
        {
            let mut queue = self.lock();
            if !queue.is_busy {
                queue.is_busy = true;
                return self.turn();
            }
            let known = queue
                .clients
                .iter_mut()
                .find(|waiting| waiting.client == client);
            match known {
                Some(waiting) => waiting.pictures.push_back(give),
                None => queue.clients.push_back(Waiting {
                    client,
                    pictures: VecDeque::from([give]),
                }),
            }
        }
        // The sender is in the queue until it gives the turn.
        turn.await.unwrap_or(Turn(None))
    }

    /// Gives the turn to the client who has waited longest since its last one.
    fn pass_on(&self) {
        loop {
            let next = {
                let mut queue = self.lock();
                let Some(mut first) = queue.clients.pop_front() else {
                    queue.is_busy = false;
                    return;
                };
                let next = first.pictures.pop_front();
                if !first.pictures.is_empty() {
                    queue.clients.push_back(first);
                }
                next
            };
            match next.map(|next| next.send(self.turn())) {
                Some(Ok(())) => return,
                // The sender of that picture has disconnected. Its turn must not be passed on by
                // its drop as well.
                Some(Err(mut turn)) => turn.0 = None,
                None => {}
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.pass_on();
        }
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
    async fn clients_take_turns_however_much_one_sends() {
        let (turns, order) = (Turns::default(), Arc::default());
        let first = turns.wait("many".to_owned()).await;
        let mut tasks = Vec::new();
        for client in ["many", "many", "many", "one", "two", "two"] {
            tasks.push(picture(&turns, &order, client).await);
        }
        assert!(order.lock().is_empty(), "one at a time");
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        let expected = ["many", "one", "two", "many", "two", "many"];
        assert_eq!(*order.lock(), expected);
        drop(turns.wait("later".to_owned()).await);
    }

    #[tokio::test]
    async fn who_gives_up_has_no_turn() {
        let (turns, order) = (Turns::default(), Arc::default());
        let first = turns.wait("a".to_owned()).await;
        let gone = picture(&turns, &order, "b").await;
        let stays = picture(&turns, &order, "c").await;
        gone.abort();
        assert!(gone.await.is_err());
        drop(first);
        stays.await.unwrap();
        assert_eq!(*order.lock(), ["c"]);
        drop(turns.wait("d".to_owned()).await);
    }
}
