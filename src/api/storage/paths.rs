//! The paths of the service.

/// The base path of all calls.
pub const BASE: &str = "/storage/v1";

/// Whether `path` belongs to the service.
pub fn is_path(path: &str) -> bool {
    let rest = path.strip_prefix(BASE);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// An object's bucket and key.
pub(super) struct ObjectPath {
    /// The bucket.
    pub bucket: String,
    /// The key.
    pub key: String,
}
