//! Whether the mailbox can be read, for the metrics and the dashboard.

use parking_lot::Mutex;

use super::mailbox_name;
use domain::clock::{MINUTE_MS, Time};

/// Interval at which the database records that the mailbox is read.
const KEEP_MS: i64 = 10 * MINUTE_MS;

/// The state of the mailbox.
#[derive(Default)]
pub struct MailboxStatus {
    /// What the database calls it; `None` if there is none.
    name: Option<String>,
    state: Mutex<State>,
}

/// When the mailbox was read last, and why it cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub read_at: Option<Time>,
    /// The reason; `None` if it can be read.
    pub error: Option<String>,
    /// When the database last recorded that it is read.
    kept_at: Option<Time>,
    /// Whether a message was stored or set aside since the last failure.
    has_advanced: bool,
}

impl MailboxStatus {
    /// The status of the mailbox in the settings.
    pub fn of(settings: &config::Inbound) -> Self {
        Self {
            name: (!settings.host.is_empty()).then(|| mailbox_name(settings)),
            state: Mutex::default(),
        }
    }

    /// What the database calls the mailbox; `None` if there is none.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The present state.
    pub fn state(&self) -> State {
        self.state.lock().clone()
    }

    /// Records that it is read; returns whether the database should record it.
    pub(super) fn read(&self, now: Time) -> bool {
        let mut state = self.state.lock();
        let since = now.plus_millis(-KEEP_MS);
        let is_told = state.error.is_none() && state.kept_at.is_some_and(|at| at > since);
        *state = State {
            read_at: Some(now),
            error: None,
            kept_at: if is_told { state.kept_at } else { Some(now) },
            has_advanced: true,
        };
        !is_told
    }

    /// Records that a message is stored or set aside.
    pub(super) fn advanced(&self) {
        self.state.lock().has_advanced = true;
    }

    /// Records a failure; returns whether the mailbox has advanced since the one before.
    pub(super) fn failed(&self, error: &str) -> bool {
        let mut state = self.state.lock();
        state.error = Some(error.to_owned());
        std::mem::take(&mut state.has_advanced)
    }
}
