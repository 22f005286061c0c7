//! The measured programs, as processes.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A server process; ended when dropped.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    _output: Option<BufReader<ChildStdout>>,
}

/// A folder on the disk of the build, not in memory.
pub fn folder() -> tempfile::TempDir {
    let here = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&here).unwrap();
    tempfile::tempdir_in(here).unwrap()
}

pub fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_guardpost"))
}

/// `guardpost serve` of this build on `data`.
pub fn guardpost(data: &Path) -> Server {
    program(binary(), data)
}

/// `serve` of `program` on `data`, with the loopback as a trusted proxy, so that `X-Forwarded-For`
/// makes different clients, and with a rate limit that none of them reaches.
pub fn program(program: &Path, data: &Path) -> Server {
    let mut command = Command::new(program);
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data)
        .env_clear()
        .env("RUST_LOG", "warn")
        // As in packaging/guardpost.service.
        .env("MALLOC_TRIM_THRESHOLD_", "131072")
        .env("GUARDPOST_SERVER__TRUSTED_PROXIES", "['127.0.0.0/8']")
        .env("GUARDPOST_LIMITS__FORM_MAX", "1000000000")
        .env("GUARDPOST_LIMITS__API_PER_MINUTE", "4294967295")
        .current_dir(data.parent().unwrap());
    announced(command, |line| {
        line.trim()
            .strip_prefix("Site")?
            .trim()
            .strip_prefix("http://")?
            .trim_end_matches('/')
            .parse()
            .ok()
    })
}

/// Starts `command` and waits for the line with its address.
pub fn announced(mut command: Command, find: impl Fn(&str) -> Option<SocketAddr>) -> Server {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let address = output
        .by_ref()
        .lines()
        .map_while(Result::ok)
        .find_map(|line| find(&line))
        .expect("it says where it listens");
    Server {
        child,
        address,
        _output: Some(output),
    }
}

impl Server {
    /// A program without output; it is ready when its port is open.
    pub fn silent(mut command: Command, address: SocketAddr) -> Self {
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_secs(10);
        while std::net::TcpStream::connect(address).is_err() {
            assert!(Instant::now() < deadline, "{command:?} does not listen");
        }
        Self {
            child,
            address,
            _output: None,
        }
    }

    /// Memory in use, in MB.
    pub fn memory(&self) -> f64 {
        memory_of(self.child.id()).unwrap()
    }

    /// Waits until the server has done what it does after its start, such as compressing pages.
    pub fn settle(&self) {
        let interval = Duration::from_millis(500);
        for _ in 0..60 {
            let before = self.processor();
            std::thread::sleep(interval);
            if self.processor() - before <= 0.01 {
                return;
            }
        }
        panic!("the server is busy without requests");
    }

    /// Processor time used so far, in seconds.
    pub fn processor(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<_> = stat[stat.rfind(')').unwrap()..].split(' ').collect();
        // utime and stime, in hundredths of a second.
        (fields[12].parse::<f64>().unwrap() + fields[13].parse::<f64>().unwrap()) / 100.0
    }
}

/// The pages that are a process's own, private and anonymous, in MB; none once it has ended.
pub fn memory_of(id: u32) -> Option<f64> {
    let maps = std::fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
    let line = maps
        .lines()
        .find_map(|line| line.strip_prefix("Anonymous:"))?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGTERM instead of SIGKILL, so that nginx ends its workers.
        let id = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        let _ = self.child.wait();
    }
}
