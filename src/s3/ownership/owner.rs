//! The owner of a place.

use serde::{Deserialize, Serialize};

/// Whose a place is: the content of its `owner.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// The mark of the database.
    pub mark: String,
    /// The machine on which that database was.
    pub host: String,
    /// Its data folder.
    pub data: String,
    /// Since when.
    pub since: String,
}

impl Owner {
    /// The owner in words, as in `the server on web1 with /var/lib/guardpost, since 2026-…`.
    pub(super) fn describe(&self) -> String {
        let Self {
            host, data, since, ..
        } = self;
        format!("the server on {host} with the data folder {data}, since {since}")
    }
}
