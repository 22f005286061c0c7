//! Rendered pages in their stored form: JSON, compressed with brotli.

use anyhow::{Context, Result};

use crate::renderer::Rendered;

/// Compresses 1 MB in a hundredth of a second, to an eighth.
const QUALITY: i32 = 4;

/// Compresses pages.
pub(super) fn pack(pages: &Rendered) -> Result<Vec<u8>> {
    let json = serde_json::to_vec(pages)?;
    let mut packed = Vec::new();
    let params = brotli::enc::BrotliEncoderParams {
        quality: QUALITY,
        size_hint: json.len(),
        ..Default::default()
    };
    brotli::BrotliCompress(&mut json.as_slice(), &mut packed, &params)
        .context("compressing the pages")?;
    Ok(packed)
}

/// Reads the output of `pack`.
pub(super) fn unpack(packed: &[u8]) -> Result<Rendered> {
    let mut json = Vec::new();
    brotli::BrotliDecompress(&mut &*packed, &mut json).context("the stored pages")?;
    serde_json::from_slice(&json).context("the stored pages")
}
