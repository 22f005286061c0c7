//! The priority of backups: visitors' requests go first.

use anyhow::{Context, Result};
use thread_priority::unix::{
    NormalThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};
use thread_priority::{Error, ThreadPriority};

/// A thread with this policy runs only while the processor is idle (sched(7)). With the lowest nice
/// value instead, a backup costs posts twice as much: 0.92 instead of 0.97 of their rate.
#[cfg(target_os = "linux")]
const POLICY: NormalThreadSchedulePolicy = NormalThreadSchedulePolicy::Idle;
#[cfg(not(target_os = "linux"))]
const POLICY: NormalThreadSchedulePolicy = NormalThreadSchedulePolicy::Other;

/// Gives the calling thread the lowest priority. It cannot be raised again, so the thread should
/// end after its work. If the system refuses, the priority stays.
pub fn lower_priority() {
    let (policy, min) = (ThreadSchedulePolicy::Normal(POLICY), ThreadPriority::Min);
    match set_thread_priority_and_policy(thread_native_id(), min, policy) {
        Ok(()) => {}
        Err(Error::OS(code)) => {
            let error = std::io::Error::from_raw_os_error(code);
            tracing::debug!(%error, "could not lower the priority of a backup");
        }
        Err(error) => tracing::debug!(?error, "could not lower the priority of a backup"),
    }
}

/// Runs `work` on a thread with the lowest priority. Errors: that of `work`; if the thread cannot
/// be started, or panics.
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

    const SCHED_IDLE: i32 = 5;

    /// The scheduling policy of the calling thread in the kernel (proc(5)).
    fn policy() -> i32 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        fields.split_whitespace().nth(38).unwrap().parse().unwrap()
    }

    #[tokio::test]
    async fn only_the_thread_of_the_work_gets_the_lowest_priority() {
        let before = policy();
        let lowered = run_at_low_priority(|| Ok(policy())).await.unwrap();
        assert_eq!(lowered, SCHED_IDLE);
        assert_eq!(policy(), before);
    }

    #[tokio::test]
    async fn a_panic_of_the_work_is_an_error() {
        let result = run_at_low_priority(|| Ok(Vec::<u8>::new()[0])).await;
        assert!(result.unwrap_err().to_string().contains("panicked"));
    }
}
