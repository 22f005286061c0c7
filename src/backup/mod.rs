//! Backups: one folder each, on this machine or in a bucket, with everything that a new machine
//! needs: the database, the keys, the pictures, stored files, written emails, and the settings
//! without secrets.
//!
//! `create` writes one beside the running server, `restore` makes a data folder of it, `verify`
//! looks for damage, `proof` restores the newest one and compares it with the current data.
//! `ledger` records erased people across backups. The server runs all of this on a schedule
//! (`maintenance`).

mod create;
mod earlier;
mod file_names;
mod inspecting;
mod keep;
pub mod key;
pub mod ledger;
mod list;
mod low_priority;
mod manifest;
mod migration_copies;
mod opening;
mod parts;
mod place;
mod prepare;
mod presence;
mod progress;
pub mod proof;
mod resolved_path;
mod restore;
mod sealing;
mod source;
mod temporary_folders;
mod throttle;
mod verify;
mod written_emails;

pub use create::create;
pub(crate) use file_names::DATABASE;
use file_names::MANIFEST;
pub use file_names::SETTINGS;
pub use inspecting::Fingerprint;
use inspecting::inspect_copy;
pub use keep::{Keep, prune};
pub use list::{Entry, Newest, list, newest};
pub use low_priority::{lower_priority, run_at_low_priority};
pub use manifest::{Manifest, Part};
pub use migration_copies::remove_migration_copies;
pub use opening::Opening;
pub use place::Place;
pub use presence::{known_of, require_place, shares_disk};
use progress::report;
pub use progress::{Progress, Stopped, Watch};
pub use restore::{Restore, Restored, restore};
pub use source::Source;
pub use temporary_folders::remove_temporary_folders;
pub use verify::verify;
pub use written_emails::{count_emails_of, remove_emails_of, remove_written_emails, until_for};
