//! The real program, run in a folder of its own the way an operator does.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

use crate::app::TestApp;

/// A folder in which commands run.
pub struct Desk {
    pub folder: TempDir,
}

/// How a command ended.
pub struct Ended {
    pub good: bool,
    pub out: String,
    pub err: String,
}

impl Ended {
    /// From what the process left.
    pub fn of(output: Output) -> Self {
        Self {
            good: output.status.success(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Desk {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// On the data of a running product.
    pub fn beside(app: &TestApp) -> Self {
        let desk = Self::new();
        fs::write(
            desk.path("config.toml"),
            format!("[data]\ndir = {:?}\n", app.folder.path()),
        )
        .unwrap();
        desk
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_guardpost"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.command(arguments).output().unwrap())
    }

    /// Runs a command that does what it is asked; gives what it prints.
    pub fn done(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert!(ended.good, "{arguments:?}: {}", ended.err);
        ended.out
    }

    /// Runs a command that refuses; gives what it says.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert!(!ended.good, "{arguments:?}: {}", ended.out);
        ended.err
    }
}

/// A server started by its command; killed when dropped.
pub struct Served {
    child: Child,
    said: Vec<String>,
}

impl Served {
    /// Starts it on a free port and waits until it has said where everything is. The loopback address is a trusted proxy, so that `X-Forwarded-For`
    /// makes different visitors.
    pub fn start(desk: &Desk, arguments: &[&str]) -> Self {
        let all = [&["serve", "--listen", "127.0.0.1:0"], arguments].concat();
        let mut command = desk.command(&all);
        command.env("GUARDPOST_SERVER__TRUSTED_PROXIES", "['127.0.0.0/8']");
        Self::run(command)
    }

    /// Starts it by this command, whatever that says, and waits in the same way.
    pub fn run(mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut said = Vec::new();
        for line in out.lines() {
            let line = line.unwrap();
            let last = line.starts_with("  Data");
            said.push(line);
            if last {
                break;
            }
        }
        Self { child, said }
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The address that the banner gives for a thing.
    pub fn address(&self, thing: &str) -> String {
        let line = self
            .said
            .iter()
            .find(|line| line.trim_start().starts_with(thing));
        line.and_then(|line| line.split_whitespace().last())
            .unwrap()
            .to_owned()
    }

    /// Where the site is, without the last slash.
    pub fn origin(&self) -> String {
        self.address("Site").trim_end_matches('/').to_owned()
    }

    /// Ends it as a power cut would.
    pub fn kill(self) {
        drop(self);
    }

    /// Asks it to stop as a supervisor does; gives how it ended and what it logged.
    pub fn stop(mut self, signal: &str) -> (bool, String) {
        let pid = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &pid])
                .status()
                .unwrap()
                .success()
        );
        let status = self.child.wait().unwrap();
        let mut log = String::new();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut log)
            .unwrap();
        (status.success(), log)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
