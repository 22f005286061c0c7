//! Access to the frontend build in `frontend/dist`: embedded in release builds, read from the
//! source folder in debug builds, so that a changed page needs no Rust build.

use std::borrow::Cow;

#[cfg(not(debug_assertions))]
pub use embedded::bytes;
#[cfg(debug_assertions)]
pub use on_disk::bytes;

/// The file extension of the copies that are compressed with brotli.
pub const COMPRESSED: &str = ".br";

/// The file with this name, if it exists. Of a file that the frontend build has compressed, a
/// release embeds that copy only, so the copy is decompressed.
pub fn read(name: &str) -> Option<Cow<'static, [u8]>> {
    let Some(compressed) = bytes(&format!("{name}{COMPRESSED}")) else {
        return bytes(name).map(Cow::Borrowed);
    };
    let mut text = Vec::new();
    brotli::BrotliDecompress(&mut &*compressed, &mut text).ok()?;
    Some(Cow::Owned(text))
}

/// Whether there is a file with this name.
pub fn has(name: &str) -> bool {
    bytes(name).is_some() || bytes(&format!("{name}{COMPRESSED}")).is_some()
}

#[cfg(not(debug_assertions))]
mod embedded {
    use std::path::Path;

    use include_dir::{Dir, include_dir};

    static DIST: Dir<'static> = include_dir!("$OUT_DIR/dist");

    /// The bytes of the embedded file with this name, if there is one. Searches only its folder,
    /// because comparing an entry loads the surrounding page of the binary into memory.
    pub fn bytes(name: &str) -> Option<&'static [u8]> {
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
    use std::sync::LazyLock;

    use parking_lot::Mutex;

    /// The folder of the frontend build in the source tree.
    pub(super) const DIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../frontend/dist");

    /// Files read so far, kept for the life of the process: callers hold references to the bytes.
    static CACHE: LazyLock<Mutex<HashMap<String, &'static [u8]>>> = LazyLock::new(Mutex::default);

    /// The bytes of the file with this name, if it exists. Each file is read once; changes need a
    /// restart.
    pub fn bytes(name: &str) -> Option<&'static [u8]> {
        let mut cache = CACHE.lock();
        if let Some(bytes) = cache.get(name) {
            return Some(bytes);
        }
        let bytes: &'static [u8] = fs::read(Path::new(DIST).join(name)).ok()?.leak();
        cache.insert(name.to_owned(), bytes);
        Some(bytes)
    }
}

/// The names of all files in `frontend/dist`, with a leading slash.
#[cfg(all(test, debug_assertions))]
pub fn names() -> Vec<String> {
    fn collect(folder: &std::path::Path, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(&path, names);
            } else if let Ok(name) = path.strip_prefix(on_disk::DIST) {
                names.push(format!("/{}", name.display()));
            }
        }
    }
    let mut names = Vec::new();
    collect(std::path::Path::new(on_disk::DIST), &mut names);
    names
}
