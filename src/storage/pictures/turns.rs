//! The queue of pictures: one is decoded at a time. Clients take turns by the pixels of their
//! pictures (weighted fair queuing), so that neither many nor large pictures delay the others.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot::{self, Sender};

/// The waiting clients, and whether a picture is being decoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    is_busy: bool,
    /// The pixels that each waiting client would have had if all had been served at once.
    served: u64,
    /// In the order of their arrival.
    pictures: Vec<Waiting>,
}

/// A picture that waits.
#[derive(Debug)]
struct Waiting {
    client: String,
    /// The pixels of its client when it is decoded, counted from `served` at its arrival.
    end: u64,
    pixels: u64,
    give: Sender<Turn>,
}

/// The right to decode a picture, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn(Option<Turns>);

impl Turns {
    fn turn(&self) -> Turn {
        Turn(Some(self.clone()))
    }

    /// Waits for a turn of `client`, whose picture has this many pixels.
    pub(crate) async fn wait(&self, client: String, pixels: u64) -> Turn {
        let (give, turn) = oneshot::channel();
        {
            let mut queue = self.0.lock();
            if !queue.is_busy {
                queue.is_busy = true;
                return self.turn();
            }
            let own = queue.pictures.iter().filter(|one| one.client == client);
            let begin = own.map(|one| one.end).max().unwrap_or(0);
            let end = begin.max(queue.served).saturating_add(pixels);
            queue.pictures.push(Waiting {
                client,
                end,
                pixels,
                give,
            });
        }
        // The sender is in the queue until it gives the turn.
        turn.await.unwrap_or(Turn(None))
    }

    /// Gives the turn to the picture whose client has had the fewest pixels with it.
    fn pass_on(&self) {
        loop {
            let next = {
                let mut queue = self.0.lock();
                let ends = queue.pictures.iter().enumerate();
                let first = ends.min_by_key(|(_, one)| one.end).map(|(place, _)| place);
                let Some(place) = first else {
                    queue.is_busy = false;
                    return;
                };
                let clients: HashSet<&str> = queue
                    .pictures
                    .iter()
                    .map(|one| one.client.as_str())
                    .collect();
                let share = queue.pictures[place].pixels / clients.len() as u64;
                let next = queue.pictures.remove(place);
                queue.served += share;
                next
            };
            match next.give.send(self.turn()) {
                Ok(()) => return,
                // The sender of that picture has disconnected. Its turn must not be passed on by
                // its drop as well.
                Err(mut turn) => turn.0 = None,
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
        pixels: u64,
    ) -> JoinHandle<()> {
        let (turns, order) = (turns.clone(), order.clone());
        let task = tokio::spawn(async move {
            let _turn = turns.wait(client.to_owned(), pixels).await;
            order.lock().push(client);
        });
        yield_now().await;
        task
    }

    #[tokio::test]
    async fn clients_take_turns_however_much_one_sends() {
        let (turns, order) = (Turns::default(), Arc::default());
        let first = turns.wait("many".to_owned(), 1).await;
        let mut tasks = Vec::new();
        for client in ["many", "many", "many", "one", "two", "two"] {
            tasks.push(picture(&turns, &order, client, 1).await);
        }
        assert!(order.lock().is_empty(), "one at a time");
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        let expected = ["many", "one", "two", "many", "two", "many"];
        assert_eq!(*order.lock(), expected);
        drop(turns.wait("later".to_owned(), 1).await);
    }

    #[tokio::test]
    async fn a_photograph_is_not_delayed_by_the_largest_pictures_of_many_clients() {
        let (turns, order) = (Turns::default(), Arc::default());
        let first = turns.wait("first".to_owned(), 49).await;
        let mut tasks = Vec::new();
        for (client, pixels) in [("a", 49), ("b", 49), ("c", 49), ("photograph", 12)] {
            tasks.push(picture(&turns, &order, client, pixels).await);
        }
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock(), ["photograph", "a", "b", "c"]);
    }

    #[tokio::test]
    async fn a_large_picture_has_its_turn_after_as_many_pixels_of_each_other_client() {
        let (turns, order) = (Turns::default(), Arc::default());
        let first = turns.wait("first".to_owned(), 1).await;
        let mut tasks = Vec::new();
        for (client, pixels) in [("small", 4), ("large", 9), ("small", 4), ("small", 4)] {
            tasks.push(picture(&turns, &order, client, pixels).await);
        }
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock(), ["small", "small", "large", "small"]);
    }

    #[tokio::test]
    async fn who_gives_up_has_no_turn() {
        let (turns, order) = (Turns::default(), Arc::default());
        let first = turns.wait("a".to_owned(), 1).await;
        let gone = picture(&turns, &order, "b", 1).await;
        let stays = picture(&turns, &order, "c", 1).await;
        gone.abort();
        assert!(gone.await.is_err());
        drop(first);
        stays.await.unwrap();
        assert_eq!(*order.lock(), ["c"]);
        drop(turns.wait("d".to_owned(), 1).await);
    }
}
