//! The priority of backups: visitors' requests go first.

use anyhow::{Context, Result};

/// The lowest priority of a thread: beside busy ones it gets a sixtieth of a processor.
const NICE: i32 = 19;

/// Gives the calling thread the lowest priority. It cannot get back its own, so it should end after
/// its work. A system that refuses it leaves the priority as it is.
pub fn lower_priority() {
    // On Linux this means the thread, not the process (setpriority(2), "C library/kernel
    // differences").
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::debug!(%error, "could not lower the priority of a backup");
    }
}

/// Runs `work` on a thread of its own with the lowest priority.
///
/// # Errors
/// That of `work`; if the thread cannot be started, or panics.
pub async fn run_at_low_priority<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let (sender, result) = tokio::sync::oneshot::channel();
    std::thread::Builder::new()
        .name("backup".into())
        .spawn(move || {
            lower_priority();
            let _ = sender.send(work());
        })
        .context("cannot start a thread")?;
    result.await.context("it panicked; see the log")?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The priority of the calling thread, as the kernel has it.
    fn nice() -> i32 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        fields.split_whitespace().nth(16).unwrap().parse().unwrap()
    }

    #[tokio::test]
    async fn only_the_thread_of_the_work_gets_the_lowest_priority() {
        let before = nice();
        assert_eq!(run_at_low_priority(|| Ok(nice())).await.unwrap(), NICE);
        assert_eq!(nice(), before);
    }

    #[tokio::test]
    async fn a_panic_of_the_work_is_an_error() {
        let result = run_at_low_priority(|| Ok(Vec::<u8>::new()[0])).await;
        assert!(result.unwrap_err().to_string().contains("panicked"));
    }
}
