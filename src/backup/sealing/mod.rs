//! Seals a stream as an age file (age-encryption.org/v1), which `age -d -i KEY_FILE` opens, too. No
//! part of it can be changed, moved or dropped; the manifest says which file is which part.

pub mod key;
pub(super) mod opening;

use std::io::{BufReader, ErrorKind, Read, Write};
use std::iter;

use age::{DecryptError, Decryptor, Encryptor};
use anyhow::{Error, Result, anyhow};

use super::Stopped;
use super::chunks::in_chunks;
use super::sealing::key::BackupKey;

/// Copies `from` to `to`, sealed. Calls `each` with the bytes of each chunk read. Errors: those of
/// the streams and of `each`.
pub(super) fn seal(
    key: &BackupKey,
    from: &mut dyn Read,
    to: &mut dyn Write,
    each: &mut dyn FnMut(u64) -> Result<(), Stopped>,
) -> Result<()> {
    let recipient = key.identity.to_public();
    let encryptor = Encryptor::with_recipients(iter::once(&recipient as &dyn age::Recipient))?;
    let mut sealing = encryptor.wrap_output(to)?;
    in_chunks(from, &mut |chunk| {
        sealing.write_all(chunk)?;
        Ok(each(chunk.len() as u64)?)
    })?;
    sealing.finish()?;
    Ok(())
}

/// The reverse of `seal`. Errors: that the stream was changed or cut, or sealed with another key;
/// otherwise those of the streams and of `each`.
pub(super) fn open(
    key: &BackupKey,
    from: &mut dyn Read,
    to: &mut dyn Write,
    each: &mut dyn FnMut(u64) -> Result<(), Stopped>,
) -> Result<()> {
    let header = Decryptor::new_buffered(BufReader::new(from)).map_err(explained)?;
    let identity: &dyn age::Identity = &key.identity;
    let mut opening = header.decrypt(iter::once(identity)).map_err(explained)?;
    let opened = in_chunks(&mut opening, &mut |chunk| {
        to.write_all(chunk)?;
        Ok(each(chunk.len() as u64)?)
    });
    opened.map_err(|error| match error.downcast() {
        Ok(error) => explained(DecryptError::Io(error)),
        Err(error) => error,
    })
}

fn explained(error: DecryptError) -> Error {
    let is_broken = |kind| matches!(kind, ErrorKind::InvalidData | ErrorKind::UnexpectedEof);
    match error {
        DecryptError::Io(error) if !is_broken(error.kind()) => error.into(),
        _ => anyhow!("it was changed, cut, or sealed with another key"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHUNK: usize = 1 << 16;

    fn key(folder: &tempfile::TempDir, name: &str) -> BackupKey {
        let path = folder.path().join(name);
        BackupKey::create(&path).unwrap();
        BackupKey::read(&path).unwrap()
    }

    fn opened(key: &BackupKey, sealed: &[u8]) -> Result<Vec<u8>> {
        let mut plain = Vec::new();
        open(key, &mut &*sealed, &mut plain, &mut |_| Ok(()))?;
        Ok(plain)
    }

    #[test]
    fn a_sealed_stream_opens_with_its_key_unless_it_was_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (key(&folder, "ours"), key(&folder, "theirs"));
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let plain = vec![b'x'; length];
            let mut sealed = Vec::new();
            seal(&ours, &mut &*plain, &mut sealed, &mut |_| Ok(())).unwrap();
            assert_eq!(opened(&ours, &sealed).unwrap(), plain);
            let broken = |sealed: &[u8], key| {
                let error = opened(key, sealed).unwrap_err().to_string();
                assert!(error.contains("changed, cut"), "{error}");
            };
            broken(&sealed, &theirs);
            for cut in [0, 20, sealed.len() - 1] {
                broken(&sealed[..cut], &ours);
            }
            if length > CHUNK {
                let rest = length % CHUNK;
                let last = if rest == 0 { CHUNK } else { rest } + 16;
                broken(&sealed[..sealed.len() - last], &ours);
            }
            broken(&[&sealed[..], b"x"].concat(), &ours);
            for at in [0, 20, sealed.len() - 1] {
                let mut changed = sealed.clone();
                changed[at] ^= 1;
                broken(&changed, &ours);
            }
        }
    }
}
