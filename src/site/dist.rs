//! The files that the frontend's build wrote to `frontend/dist`: embedded in a release build, read
//! from the source folder in a debug build, so that a change to a page compiles no Rust.

#[cfg(not(debug_assertions))]
pub use embedded::read;
#[cfg(debug_assertions)]
pub use on_disk::read;

#[cfg(not(debug_assertions))]
mod embedded {
    use std::path::Path;

    use include_dir::{Dir, include_dir};

    static DIST: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/frontend/dist");

    /// The file of this name, or `None` where the build wrote none. It looks through the file's own
    /// folder only: every entry that is compared is paged into memory.
    pub fn read(name: &str) -> Option<&'static [u8]> {
        let folder = match name.rsplit_once('/') {
            Some((folder, _)) => DIST.dirs().find(|dir| dir.path() == Path::new(folder))?,
            None => &DIST,
        };
        let file = folder.files().find(|file| file.path() == Path::new(name));
        file.map(include_dir::File::contents)
    }
}

#[cfg(debug_assertions)]
mod on_disk {
    use std::collections::HashMap;
    use std::fs;
    use std::path::Path;
    use std::sync::{LazyLock, Mutex, PoisonError};

    /// The folder of the build that this program was compiled beside.
    pub(super) const DIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/frontend/dist");

    /// What was read, for the life of the process: the callers keep references to the bytes.
    static READ: LazyLock<Mutex<HashMap<String, &'static [u8]>>> = LazyLock::new(Mutex::default);

    /// The file of this name, or `None` where the build wrote none. A file is read once; a restart
    /// shows what has changed since.
    pub fn read(name: &str) -> Option<&'static [u8]> {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = read.get(name) {
            return Some(bytes);
        }
        let bytes: &'static [u8] = fs::read(Path::new(DIST).join(name)).ok()?.leak();
        read.insert(name.to_owned(), bytes);
        Some(bytes)
    }
}

/// Every file's name below `frontend/dist`, with a leading slash.
#[cfg(all(test, debug_assertions))]
pub fn names() -> Vec<String> {
    fn below(folder: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                below(&path, found);
            } else if let Ok(name) = path.strip_prefix(on_disk::DIST) {
                found.push(format!("/{}", name.display()));
            }
        }
    }
    let mut found = Vec::new();
    below(std::path::Path::new(on_disk::DIST), &mut found);
    found
}
