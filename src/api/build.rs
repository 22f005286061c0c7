//! Compresses the committed API description, which an optimized program has in place of the code
//! that writes it.

use std::path::Path;
use std::{env, fs, io};

const DESCRIPTION: &str = "../tests/golden/openapi.json";

#[expect(
    clippy::disallowed_methods,
    reason = "cargo names the folder of generated files in the environment"
)]
fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={DESCRIPTION}");
    let json = fs::read(DESCRIPTION)?;
    let params = brotli::enc::BrotliEncoderParams {
        quality: 9,
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut json.as_slice(), &mut compressed, &params)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("openapi.json.br"), compressed)
}
