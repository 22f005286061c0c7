//! The queue of pictures: one is decoded at a time. Clients take turns by the pixels of their
//! pictures (weighted fair queuing), so that neither many nor large pictures delay the others. A
//! picture that takes longer than its pixels do is counted by its time.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::oneshot::{self, Sender};

/// Pixels of a millisecond: the largest pictures take as long as the process may.
const PIXELS_PER_MS: u64 = 25_000;

/// The waiting clients, and whether a picture is being decoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns(Arc<Mutex<Queue>>);

#[derive(Debug, Default)]
struct Queue {
    is_busy: bool,
    /// The pixels that each waiting client would have had if all had been served at once.
    served: u64,
    /// The pixels of each client since nobody waited, with those that wait; counted like `served`.
    counted: HashMap<String, u64>,
    /// In the order of their arrival.
    pictures: Vec<Waiting>,
}

/// A picture that waits.
#[derive(Debug)]
struct Waiting {
    client: String,
    /// The pixels of its client when it is decoded.
    end: u64,
    pixels: u64,
    give: Sender<Turn>,
}

/// The right to decode a picture, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn(Option<Holder>);

#[derive(Debug)]
struct Holder {
    turns: Turns,
    client: String,
    pixels: u64,
}

impl Turns {
    fn turn(&self, client: String, pixels: u64) -> Turn {
        Turn(Some(Holder {
            turns: self.clone(),
            client,
            pixels,
        }))
    }

    /// Waits for a turn of `client`, whose picture has this many pixels.
    pub(crate) async fn wait(&self, client: String, pixels: u64) -> Turn {
        let (give, turn) = oneshot::channel();
        {
            let mut queue = self.0.lock();
            let begin = queue.counted.get(&client).copied().unwrap_or(0);
            let end = begin.max(queue.served).saturating_add(pixels);
            queue.counted.insert(client.clone(), end);
            if !queue.is_busy {
                queue.is_busy = true;
                return self.turn(client, pixels);
            }
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
                    *queue = Queue::default();
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
            match next.give.send(self.turn(next.client, next.pixels)) {
                Ok(()) => return,
                // The sender of that picture has disconnected. Its turn must not be passed on by
                // its drop as well.
                Err(mut turn) => turn.0 = None,
            }
        }
    }
}

impl Turn {
    /// Decodes a picture; a long time counts against the client.
    pub(crate) fn spend<T>(self, decode: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let decoded = decode();
        self.count(began.elapsed());
        decoded
    }

    /// Counts what a picture took longer than its pixels do.
    fn count(&self, time: Duration) {
        let Some(holder) = &self.0 else { return };
        let taken = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let taken = taken.saturating_mul(PIXELS_PER_MS);
        let more = taken.saturating_sub(holder.pixels);
        let mut queue = holder.turns.0.lock();
        if let Some(counted) = queue.counted.get_mut(&holder.client) {
            *counted = counted.saturating_add(more);
        }
        let own = queue.pictures.iter_mut();
        for picture in own.filter(|picture| picture.client == holder.client) {
            picture.end = picture.end.saturating_add(more);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(holder) = self.0.take() {
            holder.turns.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use parking_lot::Mutex;
    use std::sync::Arc;
    use std::time::Duration;

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
        let expected = ["one", "two", "many", "two", "many", "many"];
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
    async fn a_picture_that_takes_longer_than_its_pixels_is_counted_by_its_time() {
        let (turns, order) = (Turns::default(), Arc::default());
        let slow = turns.wait("slow".to_owned(), 1).await;
        let mut tasks = Vec::new();
        for client in ["slow", "slow", "photograph"] {
            tasks.push(picture(&turns, &order, client, 12_000_000).await);
        }
        slow.count(Duration::from_secs(2));
        tasks.push(picture(&turns, &order, "photograph", 12_000_000).await);
        drop(slow);
        for task in tasks {
            task.await.unwrap();
        }
        let expected = ["photograph", "photograph", "slow", "slow"];
        assert_eq!(*order.lock(), expected);
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
