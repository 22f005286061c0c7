//! Paths without symbolic links, also of folders that do not exist yet.

use std::path::{Path, PathBuf, absolute};

/// `path` with the symbolic links of its existing part resolved.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    let path = absolute(path).unwrap_or_else(|_| path.to_owned());
    for existing in path.ancestors() {
        if let Ok(real) = existing.canonicalize() {
            let rest = path.strip_prefix(existing).unwrap_or(Path::new(""));
            return match rest.as_os_str().is_empty() {
                true => real,
                false => real.join(rest),
            };
        }
    }
    path
}
