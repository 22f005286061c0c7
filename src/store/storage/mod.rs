//! Rows of the storage service: buckets, objects, contents and uploads.

pub(crate) mod buckets;
pub(super) mod media_files;
pub(crate) mod object_contents;
pub(crate) mod object_list;
pub(crate) mod objects;
pub(crate) mod upload_bytes;
pub(crate) mod uploads;
