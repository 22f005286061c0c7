//! The number of requests in each status.

use poem_openapi::Object;

use domain::request::quote::Status;

/// The number of requests in each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Object)]
pub struct StatusCounts {
    pub pending: i64,
    pub in_progress: i64,
    pub completed: i64,
    pub cancelled: i64,
}

/// What was counted of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub by_status: StatusCounts,
    /// There may be more than these.
    pub at_least: bool,
}

impl StatusCounts {
    pub(super) const fn add(&mut self, status: Status, requests: i64) {
        let count = match status {
            Status::Pending => &mut self.pending,
            Status::InProgress => &mut self.in_progress,
            Status::Completed => &mut self.completed,
            Status::Cancelled => &mut self.cancelled,
        };
        *count += requests;
    }

    pub(crate) const fn total(self) -> i64 {
        self.pending + self.in_progress + self.completed + self.cancelled
    }
}
