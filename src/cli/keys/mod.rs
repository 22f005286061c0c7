//! Commands that rotate and replace key files.

pub(super) mod key_files;
pub(super) mod replace_keys;
pub(super) mod rotate_keys;
