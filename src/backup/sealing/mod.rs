//! Seals a stream with AES-256-GCM in chunks. Each file has its own key, derived from the backup
//! key, a random salt and its name; the nonce of a chunk is its number, and the last one is marked
//! (as in STREAM). So no chunk can be changed, moved, dropped or taken from another file.
//!
//! Format: `LABEL`, 32 bytes of salt, then chunks of up to `CHUNK` bytes with a tag of 16 each.

pub mod key;
pub(super) mod opening;

use std::io::{self, ErrorKind, Read, Write};

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};

use super::sealing::key::BackupKey;
use domain::ids;

const LABEL: &[u8; 16] = b"guardpost-seal-1";
const SALT: usize = 32;
/// Bytes of content in a chunk.
const CHUNK: usize = 1 << 16;
const TAG: usize = 16;

struct Cipher {
    key: LessSafeKey,
    number: u64,
}

impl Cipher {
    fn new(key: &BackupKey, salt: &[u8], name: &str) -> io::Result<Self> {
        let key = key.derive("part", &[salt, name.as_bytes()].concat());
        let key = UnboundKey::new(&AES_256_GCM, &key).map_err(io::Error::other)?;
        Ok(Self {
            key: LessSafeKey::new(key),
            number: 0,
        })
    }

    /// The nonce of the next chunk; `last` marks the end of the stream.
    fn nonce(&mut self, last: bool) -> Nonce {
        let mut nonce = [0; 12];
        nonce[..8].copy_from_slice(&self.number.to_be_bytes());
        nonce[11] = u8::from(last);
        self.number += 1;
        Nonce::assume_unique_for_key(nonce)
    }
}

/// Copies `from` to `to`, sealed for the part `name`. Calls `each` with the bytes of each chunk
/// read.
pub(super) fn seal(
    key: &BackupKey,
    name: &str,
    from: &mut dyn Read,
    to: &mut dyn Write,
    each: &mut dyn FnMut(u64) -> io::Result<()>,
) -> io::Result<()> {
    let salt = ids::random_bytes::<SALT>();
    to.write_all(LABEL)?;
    to.write_all(&salt)?;
    let mut cipher = Cipher::new(key, &salt, name)?;
    let mut chunk = read_chunk(from, CHUNK)?;
    loop {
        each(chunk.len() as u64)?;
        let next = read_chunk(from, CHUNK)?;
        let last = next.is_empty();
        let nonce = cipher.nonce(last);
        cipher
            .key
            .seal_in_place_append_tag(nonce, Aad::empty(), &mut chunk)
            .map_err(io::Error::other)?;
        to.write_all(&chunk)?;
        if last {
            return Ok(());
        }
        chunk = next;
    }
}

/// The reverse of `seal`. Errors: `InvalidData` if the stream was changed or cut, or sealed with
/// another key or for another name; otherwise those of the streams and of `each`.
pub(super) fn open(
    key: &BackupKey,
    name: &str,
    from: &mut dyn Read,
    to: &mut dyn Write,
    each: &mut dyn FnMut(u64) -> io::Result<()>,
) -> io::Result<()> {
    let head = read_chunk(from, LABEL.len() + SALT)?;
    let Some(salt) = head.strip_prefix(LABEL).filter(|salt| salt.len() == SALT) else {
        return Err(broken("it is not sealed"));
    };
    let mut cipher = Cipher::new(key, salt, name)?;
    let mut chunk = read_chunk(from, CHUNK + TAG)?;
    loop {
        let next = read_chunk(from, CHUNK + TAG)?;
        let last = next.is_empty();
        let nonce = cipher.nonce(last);
        let plain = cipher
            .key
            .open_in_place(nonce, Aad::empty(), &mut chunk)
            .map_err(|_| broken("it was changed, cut, or sealed with another key"))?;
        each(plain.len() as u64)?;
        to.write_all(plain)?;
        if last {
            return Ok(());
        }
        chunk = next;
    }
}

fn broken(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

/// Up to `size` bytes; fewer only at the end of the stream.
fn read_chunk(from: &mut dyn Read, size: usize) -> io::Result<Vec<u8>> {
    let mut chunk = Vec::with_capacity(size + TAG);
    from.take(size as u64).read_to_end(&mut chunk)?;
    Ok(chunk)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(folder: &tempfile::TempDir, name: &str) -> BackupKey {
        let path = folder.path().join(name);
        BackupKey::create(&path).unwrap();
        BackupKey::read(&path).unwrap()
    }

    fn opened(key: &BackupKey, name: &str, sealed: &[u8]) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        open(key, name, &mut &*sealed, &mut plain, &mut |_| Ok(()))?;
        Ok(plain)
    }

    #[test]
    fn a_sealed_stream_opens_with_its_key_and_name_unless_it_was_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (key(&folder, "ours"), key(&folder, "theirs"));
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let plain = vec![b'x'; length];
            let mut sealed = Vec::new();
            seal(&ours, "a", &mut &*plain, &mut sealed, &mut |_| Ok(())).unwrap();
            assert_eq!(opened(&ours, "a", &sealed).unwrap(), plain);
            assert!(opened(&ours, "b", &sealed).is_err());
            assert!(opened(&theirs, "a", &sealed).is_err());
            for cut in [0, 20, LABEL.len() + SALT, sealed.len() - 1] {
                assert!(opened(&ours, "a", &sealed[..cut]).is_err(), "{cut}");
            }
            if length > CHUNK {
                let chunks = LABEL.len() + SALT + CHUNK + TAG;
                assert!(opened(&ours, "a", &sealed[..chunks]).is_err());
            }
            for at in [0, 20, sealed.len() - 1] {
                let mut changed = sealed.clone();
                changed[at] ^= 1;
                assert!(opened(&ours, "a", &changed).is_err(), "{at}");
            }
        }
    }
}
