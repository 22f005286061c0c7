//! Runs the real binary in a temporary folder, as an operator does.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

use super::app::TestApp;

/// A temporary folder in which commands run.
pub struct Cli {
    pub folder: TempDir,
}

/// Exit status and output of a finished command.
pub struct CommandOutput {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
}

impl CommandOutput {
    /// Decodes the output of a process; both streams must be UTF-8.
    pub fn of(output: Output) -> Self {
        Self {
            success: output.status.success(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Cli {
    /// Commands in an empty folder.
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// Commands that use the data folder of a running `TestApp`.
    pub fn on_data_of(app: &TestApp) -> Self {
        let cli = Self::new();
        fs::write(
            cli.path("config.toml"),
            format!("[data]\ndir = {:?}\n", app.folder.path()),
        )
        .unwrap();
        cli
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command that is ready to start, with an empty environment and no standard input.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_guardpost"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .stdin(Stdio::null());
        if arguments.first() == Some(&"serve") {
            // Many servers run at once; the test of the reserve sets its size.
            command.env("GUARDPOST_DATA__REQUEST_RESERVE_MB", "0");
        }
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> CommandOutput {
        CommandOutput::of(self.command(arguments).output().unwrap())
    }

    /// Runs a command that must succeed; returns its standard output.
    pub fn run_ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.success, "{arguments:?}: {}", output.stderr);
        output.stdout
    }

    /// Runs a command that must fail; returns its standard error.
    pub fn run_err(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.success, "{arguments:?}: {}", output.stdout);
        output.stderr
    }
}

/// Sends a signal, such as `-TERM`, to a process that runs.
pub fn send_signal(pid: u32, signal: &str) {
    let mut kill = Command::new("kill");
    kill.args([signal, &pid.to_string()]);
    assert!(kill.status().unwrap().success());
}

/// A running `guardpost serve` process; killed when dropped.
pub struct ServerProcess {
    child: Child,
    /// The lines printed to standard output at the start.
    banner: Vec<String>,
}

impl ServerProcess {
    /// Starts the server on a free port and waits for its banner. Loopback addresses are trusted
    /// proxies, so that `X-Forwarded-For` simulates different clients.
    pub fn start(cli: &Cli, arguments: &[&str]) -> Self {
        let all = [&["serve", "--listen", "127.0.0.1:0"], arguments].concat();
        let mut command = cli.command(&all);
        command.env("GUARDPOST_SERVER__TRUSTED_PROXIES", "['127.0.0.0/8']");
        Self::run(command)
    }

    /// Starts the server with this command and waits for its banner.
    pub fn run(mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut banner = Vec::new();
        for line in stdout.lines() {
            let line = line.unwrap();
            // One object if the log is JSON.
            let last = line.starts_with("  Data") || line.starts_with('{');
            banner.push(line);
            if last {
                break;
            }
        }
        if banner.is_empty() {
            let mut log = String::new();
            let mut stderr = child.stderr.take().unwrap();
            stderr.read_to_string(&mut log).unwrap();
            panic!("the server did not start: {log}");
        }
        Self { child, banner }
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The URL on the banner line that starts with `label`.
    pub fn banner_url(&self, label: &str) -> String {
        if let Some(object) = self.banner.first().filter(|line| line.starts_with('{')) {
            let banner: serde_json::Value = serde_json::from_str(object).unwrap();
            let url = banner[label.to_lowercase().as_str()].as_str();
            return url.unwrap().to_owned();
        }
        let line = self
            .banner
            .iter()
            .find(|line| line.trim_start().starts_with(label));
        line.and_then(|line| line.split_whitespace().last())
            .unwrap()
            .to_owned()
    }

    /// The site's origin, without a trailing slash.
    pub fn origin(&self) -> String {
        self.banner_url("Site").trim_end_matches('/').to_owned()
    }

    /// Kills the process without a graceful shutdown (SIGKILL), like a power failure.
    pub fn kill(self) {
        drop(self);
    }

    /// Sends `signal` and waits for the exit; returns whether it succeeded, and the log.
    pub fn stop(mut self, signal: &str) -> (bool, String) {
        send_signal(self.pid(), signal);
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

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
