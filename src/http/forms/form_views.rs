//! When clients first opened a form's page, in memory: measures how long a form was open, without
//! script and cookie. A client that never requested the page, as after navigation in the browser,
//! is not measured.

use std::collections::HashMap;

use parking_lot::Mutex;

use domain::clock::{MINUTE_MS, Time};

/// Lifetime of a view.
const WINDOW_MILLIS: i64 = 30 * MINUTE_MS;
/// Maximum number of clients: when there are more, all begin anew.
const CAPACITY: usize = 20_000;

/// The first view of each client.
#[derive(Default)]
pub struct FormViews(Mutex<HashMap<String, Time>>);

impl FormViews {
    /// Records that this client has opened a form's page.
    pub fn record(&self, client: &str, now: Time) {
        let mut views = self.0.lock();
        let first = views.get(client);
        if first.is_some_and(|first| age(*first, now).is_some()) {
            return;
        }
        if views.len() >= CAPACITY {
            views.clear();
        }
        views.insert(client.to_owned(), now);
    }

    /// Milliseconds since this client first opened a form's page; `None` if it has not within the
    /// lifetime.
    pub fn since_first(&self, client: &str, now: Time) -> Option<i64> {
        age(*self.0.lock().get(client)?, now)
    }

    /// Deletes the client's view after it has sent a form, so that the next one is measured
    /// separately.
    pub fn forget(&self, client: &str) {
        self.0.lock().remove(client);
    }
}

/// Milliseconds from `first` to `now`, within the window.
fn age(first: Time, now: Time) -> Option<i64> {
    let age = now.millis() - first.millis();
    (0..WINDOW_MILLIS).contains(&age).then_some(age)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_clients_takes_bounded_memory() {
        let (views, now) = (FormViews::default(), Time::from_millis(1_800_000_000_000));
        for client in 0..5 * CAPACITY {
            views.record(&client.to_string(), now);
        }
        assert!(views.0.lock().len() <= CAPACITY);
    }
}
