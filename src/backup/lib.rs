//! Backups: one folder each, on this machine or in a bucket, with everything that a new machine
//! needs: the database, the keys, the pictures, stored files, written emails, and the settings
//! without secrets.
//!
//! `create` writes one beside the running server, `restore` makes a data folder of it, `verify`
//! looks for damage, `proof` restores the newest one and compares it with the current data.
//! `ledger` records erased people across backups. The server runs all of this on a schedule
//! (`maintenance`).

mod chunks;
mod create;
mod earlier;
pub mod erasure;
mod inspecting;
mod keep;
pub mod ledger;
mod parts;
mod place;
mod progress;
pub mod proof;
mod restore;
pub mod sealing;
mod source;
mod temporary_folder;
mod verify;

pub use create::create;
pub use inspecting::Fingerprint;
use inspecting::inspect_copy;
pub use keep::{Keep, prune};
pub use parts::file_names::DATABASE;
use parts::file_names::MANIFEST;
pub use parts::file_names::SETTINGS;
pub use parts::manifest::{Manifest, Part};
pub use parts::written_emails::{
    count_emails_of, remove_emails_of, remove_written_emails, until_for,
};
pub use place::Place;
pub use place::list::{Entry, Newest, list, newest};
pub use place::presence::{known_of, require_place, shares_disk};
use progress::report;
pub use progress::{Progress, Stopped, Watch};
pub use restore::{Restore, Restored, restore};
pub use sealing::opening::Opening;
pub use source::Source;
pub use verify::verify;
