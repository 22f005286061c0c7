//! The real binary as a process of its own: started, asked where it listens, killed.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use reqwest::Response;
use serde_json::Value;

/// A running `guardpost serve`; killed when dropped.
pub struct Process {
    child: Child,
    pub origin: String,
    /// Held, so that the process may go on writing.
    _says: BufReader<ChildStdout>,
}

impl Process {
    /// Starts on `folder` and a free port and waits until it says where it listens. The loopback address is a trusted proxy, so that `X-Forwarded-For`
    /// makes different visitors.
    pub fn start(folder: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_guardpost"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(folder)
            .env_clear()
            .env("GUARDPOST_SERVER__TRUSTED_PROXIES", "['127.0.0.0/8']")
            .current_dir(folder.parent().unwrap())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut says = BufReader::new(child.stdout.take().unwrap());
        let origin = says
            .by_ref()
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let site = line.trim().strip_prefix("Site")?.trim();
                Some(site.trim_end_matches('/').to_owned())
            })
            .expect("the server says where the site is");
        Self {
            child,
            origin,
            _says: says,
        }
    }

    /// Ends it as a power cut would.
    pub fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Posts a quote to the server at `origin` as the visitor at `address`.
pub async fn ask(
    http: &reqwest::Client,
    origin: &str,
    address: &str,
    key: &str,
    quote: &Value,
) -> reqwest::Result<Response> {
    http.post(format!("{origin}/api/quotes"))
        .header("x-forwarded-for", address)
        .header("idempotency-key", key)
        .json(quote)
        .send()
        .await
}

/// The `n`th of very many visitors.
pub fn visitor(n: u32) -> String {
    let [_, a, b, c] = n.to_be_bytes();
    format!("10.{a}.{b}.{c}")
}
