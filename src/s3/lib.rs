//! A client of buckets that speak S3, for stored files and for backups: put, get, list and delete
//! below a prefix.
//!
//! All requests run on a separate thread, whose connections outlive the calling thread.
//! Functions that are not `async` block until their request is answered.

mod background;
mod bucket;
mod checked_lists;
mod download;
mod error;
mod list;
mod open;
pub mod ownership;
mod upload;

pub use bucket::Bucket;
pub use download::{Download, Reading};
pub use error::{Error, Result, is_failure};
pub use list::Found;
pub use open::Patience;
pub use upload::Upload;
