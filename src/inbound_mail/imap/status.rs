//! Whether the mailbox can be read, for the metrics and the dashboard.

use parking_lot::Mutex;

use crate::domain::clock::Time;

/// The state of the mailbox.
#[derive(Default)]
pub struct MailboxStatus(Mutex<State>);

/// When the mailbox was read last, and why it cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub read_at: Option<Time>,
    /// The reason; `None` if it can be read.
    pub error: Option<String>,
}

impl MailboxStatus {
    /// The present state.
    pub fn state(&self) -> State {
        self.0.lock().clone()
    }

    pub(super) fn read(&self, now: Time) {
        *self.0.lock() = State {
            read_at: Some(now),
            error: None,
        };
    }

    pub(super) fn failed(&self, error: &str) {
        self.0.lock().error = Some(error.to_owned());
    }
}
