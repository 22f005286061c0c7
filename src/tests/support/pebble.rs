//! Pebble, the certificate authority that Let's Encrypt tests its clients with, as a process of its
//! own: the Debian package `pebble`, which `just pebble` installs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpStream, UdpSocket};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rcgen::CertifiedKey;
use serde_json::json;
use tempfile::TempDir;

use crate::server::tls::free_address;

/// The address of Pebble, which may be running or not.
pub struct Authority {
    folder: TempDir,
    address: String,
    management: String,
    names: String,
    running: Option<Child>,
}

impl Authority {
    /// Chooses the addresses, and starts the name server: every name is on this host.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
        fs::write(folder.path().join("cert.pem"), cert.pem()).unwrap();
        let key = folder.path().join("key.pem");
        fs::write(key, signing_key.serialize_pem()).unwrap();
        Self {
            folder,
            address: free_address(),
            management: free_address(),
            names: serve_names(),
            running: None,
        }
    }

    /// The URL of its directory.
    pub fn directory(&self) -> String {
        format!("https://{}/dir", self.address)
    }

    /// The certificate by which its own address is trusted.
    pub fn ca_file(&self) -> PathBuf {
        self.folder.path().join("cert.pem")
    }

    /// Starts it. It looks for answers to HTTP-01 and to TLS-ALPN-01 at these ports.
    pub fn start(&mut self, http: u16, tls: u16) {
        let file = |name: &str| self.folder.path().join(name);
        let settings = json!({"pebble": {
            "listenAddress": self.address,
            "managementListenAddress": self.management,
            "certificate": file("cert.pem"),
            "privateKey": file("key.pem"),
            "httpPort": http,
            "tlsPort": tls,
            "ocspResponderURL": "",
            "externalAccountBindingRequired": false,
        }});
        fs::write(file("pebble.json"), settings.to_string()).unwrap();
        let mut child = Command::new("pebble")
            .arg("-config")
            .arg(file("pebble.json"))
            .args(["-dnsserver", &self.names])
            .env("PEBBLE_VA_NOSLEEP", "1")
            .env("PEBBLE_AUTHZREUSE", "0")
            // Percent: by default 5, and three refused tries in a row are not rare then.
            .env("PEBBLE_WFE_NONCEREJECT", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("pebble is installed by `just pebble`");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = |line: &str| line.contains("ACME directory available");
        assert!(lines.any(|line| ready(&line.unwrap())), "pebble started");
        thread::spawn(move || lines.for_each(drop));
        // It says so before it listens.
        for address in [&self.address, &self.management] {
            let deadline = Instant::now() + Duration::from_secs(30);
            while TcpStream::connect(address).is_err() {
                assert!(Instant::now() < deadline, "pebble listens");
                thread::sleep(Duration::from_millis(5));
            }
        }
        self.running = Some(child);
    }

    /// Stops it.
    pub fn stop(&mut self) {
        if let Some(mut child) = self.running.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// The root of the certificates that it issues.
    pub async fn root(&self) -> reqwest::Certificate {
        let own = reqwest::Certificate::from_pem(&fs::read(self.ca_file()).unwrap()).unwrap();
        let client = reqwest::Client::builder().tls_certs_only([own]);
        let url = format!("https://{}/roots/0", self.management);
        let answer = client.build().unwrap().get(url).send().await.unwrap();
        reqwest::Certificate::from_pem(&answer.bytes().await.unwrap()).unwrap()
    }
}

impl Drop for Authority {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Answers each question for an IPv4 address with 127.0.0.1, and all others with nothing; returns
/// its address.
fn serve_names() -> String {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let mut query = [0; 512];
        while let Ok((length, peer)) = socket.recv_from(&mut query) {
            let name = query[12..length].iter().position(|byte| *byte == 0);
            let end = 12 + name.unwrap() + 5;
            let is_v4 = query[end - 4..end] == [0, 1, 0, 1];
            // A response with one question and, for IPv4, one answer.
            let mut answer = query[..2].to_vec();
            answer.extend([0x81, 0x80, 0, 1, 0, is_v4.into(), 0, 0, 0, 0]);
            answer.extend(&query[12..end]);
            if is_v4 {
                answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
            }
            socket.send_to(&answer, peer).unwrap();
        }
    });
    address
}
