//! cli
/// Runs.
pub fn run() -> anyhow::Result<()> {
    Ok(())
}
