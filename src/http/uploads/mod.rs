//! Uploads, posted with a form or sent to the storage service: the body as it arrives (`body`), and
//! its parts (`multipart`).

pub mod body;
pub mod multipart;
