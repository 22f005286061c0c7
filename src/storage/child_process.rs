//! Work on a stranger's bytes in a child process: the program is started again with a hidden
//! command, and the operating system limits its memory and time. What hostile bytes make of a
//! parser ends with that process.

use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};

/// Interval at which the end of the process is looked for.
const POLL: Duration = Duration::from_millis(5);
/// Maximum length of a message of the process, in bytes.
const MAX_MESSAGE: u64 = 4096;

/// What the process may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes in addition to those of the program itself.
    pub memory: u64,
    /// Seconds of processor time.
    pub cpu_seconds: u64,
    /// Bytes that it may write into a file.
    pub written: u64,
    /// How much it yields to other processes, from 0 to 19.
    pub nice: i32,
}

impl Limits {
    /// Limits this process, for good.
    pub fn apply(self) -> io::Result<()> {
        let used = virtual_memory().unwrap_or(0);
        for (resource, limit) in [
            (Resource::As, used + self.memory),
            (Resource::Cpu, self.cpu_seconds),
            (Resource::Fsize, self.written),
            (Resource::Core, 0),
        ] {
            let maximum = getrlimit(resource).maximum.unwrap_or(u64::MAX);
            let limit = Some(limit.min(maximum));
            let limits = Rlimit {
                current: limit,
                maximum: limit,
            };
            setrlimit(resource, limits).map_err(io::Error::from)?;
        }
        // Without effect, it is only less polite.
        let _ = nice(self.nice);
        // A host without memory ends this process before the server.
        let _ = std::fs::write("/proc/self/oom_score_adj", "500");
        Ok(())
    }
}

/// The address space that this process has already, in bytes: mostly the program itself.
fn virtual_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmSize:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Waits for the end of the process, or ends it after `time_limit`; returns how it ended, and the
/// beginning of its standard error. Blocks.
pub fn wait(mut child: Child, time_limit: Duration) -> io::Result<(ExitStatus, String)> {
    let started = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if started.elapsed() < time_limit => std::thread::sleep(POLL),
            None => {
                child.kill()?;
                break child.wait()?;
            }
        }
    };
    let mut message = Vec::new();
    if let Some(output) = child.stderr.take()
        && status.code().is_some()
    {
        output.take(MAX_MESSAGE).read_to_end(&mut message)?;
    }
    let message = String::from_utf8_lossy(&message).trim().to_owned();
    Ok((status, message))
}

/// Whether a signal or a panic has ended the process: it had no more memory or time, or it crashed.
pub(crate) fn is_killed(status: ExitStatus) -> bool {
    // 101: it panicked.
    status.signal().is_some() || status.code() == Some(101)
}
