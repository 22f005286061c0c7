//! Pure rules of the storage service: names of buckets and objects, types found in content, and the
//! values that clients send with a file. No IO.

pub mod content_type;
pub mod file_name;
pub mod names;
pub mod values;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

crate::text_enum! {
    /// The state of the virus scan of a file; an infected one cannot be downloaded.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum ScanState {
        /// There is no scanner, or it gave no verdict.
        Unscanned = "unscanned",
        /// It waits for its scan.
        Scanning = "scanning",
        Clean = "clean",
        Infected = "infected",
    }
}

/// The private bucket of the files of quote requests.
pub const QUOTES: &str = "quotes";
/// The private bucket of emails of customers and their files, which exists once there is one.
pub const MAIL: &str = "mail";
/// The public bucket.
pub const PUBLIC: &str = "public";
/// Maximum size of a file, in bytes.
pub const MAX_FILE_BYTES: u64 = 10 * 1024 * 1024;
/// Maximum size of a file of an email, in bytes: emails have their own limit,
/// `Inbound::max_bytes`.
pub const MAX_RECEIVED_BYTES: u64 = 100 * 1024 * 1024;
/// Maximum number of files that a visitor may add to one quote request.
pub const MAX_QUOTE_FILES: u32 = 5;
/// Number of unreadable pictures after which a visitor's request accepts no more files.
pub const MAX_FAILED_PICTURES: u32 = 5;
