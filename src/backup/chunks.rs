//! Reading a stream in chunks.

use std::io::Read;

use anyhow::Result;

/// Bytes read at a time.
const BUFFER: usize = 1 << 16;

/// Reads a stream to its end; calls `each` with each chunk. Errors: those of both.
pub(super) fn in_chunks(
    from: &mut dyn Read,
    each: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut buffer = vec![0; BUFFER];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(()),
            read => each(&buffer[..read])?,
        }
    }
}
