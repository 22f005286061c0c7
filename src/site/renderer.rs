//! Renders the pages with changed content: starts this program with the hidden command
//! `render-pages`, which writes them and ends.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::bundle::Bundle;
use super::{dist, engine};
use domain::content::Sections;

/// The name of the hidden command.
pub const COMMAND: &str = "render-pages";

/// The documents whose body differs from that of the build: the HTML by `Document::id`.
pub type Rendered = BTreeMap<String, String>;

/// The running program, also after its file was replaced by a newer one.
pub fn this_program() -> PathBuf {
    "/proc/self/exe".into()
}

/// Starts the program that renders.
#[derive(Clone, Debug)]
pub struct Renderer {
    program: PathBuf,
}

impl Renderer {
    pub fn of(program: PathBuf) -> Self {
        Self { program }
    }

    /// The identity of the renderer: pages of another renderer are rendered again.
    pub fn version() -> String {
        let code = dist::read(engine::RENDERER).unwrap_or_default();
        hex::encode(&Sha256::digest(code)[..12])
    }

    /// Renders every document with `all` sections and returns those that differ from the build's.
    /// Takes about a third of a second; call it on a blocking thread. Fails if the program cannot
    /// be started, or it fails; the message is its own.
    pub fn render(&self, all: &Sections, bundle: &Bundle) -> Result<Rendered> {
        let mut rendered: Rendered = serde_json::from_slice(&self.run(&serde_json::to_vec(all)?)?)
            .context("the rendered pages")?;
        for document in &bundle.documents {
            let id = document.id();
            if rendered.get(&id) == document.built_body().as_ref() {
                rendered.remove(&id);
            }
        }
        Ok(rendered)
    }

    fn run(&self, content: &[u8]) -> Result<Vec<u8>> {
        let mut child = Command::new(&self.program)
            .arg(COMMAND)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("the page renderer could not be started")?;
        // The child reads its whole input before it writes.
        let sent = child.stdin.take().map(|mut input| input.write_all(content));
        let ended = child.wait_with_output().context("the page renderer")?;
        if !ended.status.success() {
            let message = String::from_utf8_lossy(&ended.stderr);
            bail!("the page renderer failed: {}", message.trim());
        }
        sent.transpose().context("sending the content")?;
        Ok(ended.stdout)
    }
}
