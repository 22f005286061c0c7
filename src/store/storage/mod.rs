//! Rows of the storage service: buckets, objects, contents and uploads.

pub mod buckets;
pub mod object_contents;
pub mod object_list;
pub mod objects;
pub mod upload_bytes;
pub mod uploads;
