//! The settings of the service: where requests go, and how they are signed (AWS Signature Version
//! 4), seen by a server that looks.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::support::cli_process::Cli;

/// What an empty bucket answers to a list.
const EMPTY: &str = "<?xml version=\"1.0\"?><ListBucketResult><Name>plans</Name><KeyCount>0\
    </KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>";

/// A request: its first line and its headers, with lowercase names.
struct Request {
    line: String,
    headers: BTreeMap<String, String>,
}

/// A server that answers one request with an empty list, and returns it.
fn server() -> (String, JoinHandle<Request>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let request = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut head, mut byte) = (Vec::new(), [0]);
        while !head.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        let length = EMPTY.len();
        let head = String::from_utf8(head).unwrap();
        write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: application/xml\r\ncontent-length: {length}\r\n\
             connection: close\r\n\r\n{EMPTY}"
        )
        .unwrap();
        let mut lines = head.lines();
        let line = lines.next().unwrap().to_owned();
        let headers = lines.filter_map(|line| line.split_once(':'));
        let headers =
            headers.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()));
        Request {
            line,
            headers: headers.collect(),
        }
    });
    (address, request)
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

impl Request {
    /// Its `Authorization`, as a holder of this key makes it.
    fn authorization(&self, (id, secret): (&str, &str), region: &str) -> String {
        let mut words = self.line.split(' ');
        let (method, target) = (words.next().unwrap(), words.next().unwrap());
        let (path, query) = target.split_once('?').unwrap();
        let mut query: Vec<&str> = query.split('&').collect();
        query.sort_unstable();
        let theirs = &self.headers["authorization"];
        let names = theirs.split("SignedHeaders=").nth(1).unwrap();
        let names = names.split(',').next().unwrap();
        let headers: String = names
            .split(';')
            .map(|name| format!("{name}:{}\n", self.headers[name]))
            .collect();
        let canonical = format!(
            "{method}\n{path}\n{}\n{headers}\n{names}\n{}",
            query.join("&"),
            self.headers["x-amz-content-sha256"]
        );
        let time = &self.headers["x-amz-date"];
        let day = &time[..8];
        let scope = format!("{day}/{region}/s3/aws4_request");
        let digest = hex::encode(Sha256::digest(canonical.as_bytes()));
        let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{digest}");
        let key = mac(format!("AWS4{secret}").as_bytes(), day);
        let key = mac(&mac(&mac(&key, region), "s3"), "aws4_request");
        let signature = hex::encode(mac(&key, &text));
        format!(
            "AWS4-HMAC-SHA256 Credential={id}/{scope}, SignedHeaders={names}, Signature={signature}"
        )
    }
}

/// The request of `guardpost files check` with these settings.
fn request(settings: &str, environment: &[(&str, &str)]) -> (Request, String) {
    let (address, request) = server();
    let cli = Cli::new();
    fs::write(cli.path("secret"), "a secret in a file\n").unwrap();
    fs::write(
        cli.path("config.toml"),
        format!(
            "[files]\nto = \"s3://plans/site\"\n[s3]\nendpoint = \"http://{address}\"\n{settings}"
        ),
    )
    .unwrap();
    cli.run_ok(&["seed-demo"]);
    let mut command = cli.command(&["files", "check"]);
    let output = command.envs(environment.iter().copied()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    (request.join().unwrap(), said + &told)
}

#[test]
fn requests_are_signed_with_the_key_of_the_settings() {
    let variable = ("GUARDPOST_S3__SECRET_ACCESS_KEY", "a secret in a variable");
    let settings = "access_key_id = \"AKIA1\"\nregion = \"eu-central-1\"\n";
    let (request, said) = request(settings, &[variable]);
    assert!(
        request.line.starts_with("GET /plans?") && request.line.contains("prefix=site%2F"),
        "{}",
        request.line
    );
    let expected = request.authorization(("AKIA1", variable.1), "eu-central-1");
    assert_eq!(request.headers["authorization"], expected);
    assert!(said.contains("0 files, 0 lost"), "{said}");
}

#[test]
fn the_secret_key_can_be_in_a_file() {
    let settings = "access_key_id = \"AKIA2\"\nsecret_access_key_file = \"secret\"\n";
    let (request, _) = request(settings, &[]);
    let expected = request.authorization(("AKIA2", "a secret in a file"), "us-east-1");
    assert_eq!(request.headers["authorization"], expected);
}

#[test]
fn without_a_key_nothing_starts() {
    let cli = Cli::new();
    fs::write(cli.path("config.toml"), "[files]\nto = \"s3://plans\"\n").unwrap();
    let error = cli.run_err(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(error.contains("needs an access key"), "{error}");
    let report = cli.run(&["check"]).stdout;
    assert!(
        report.contains("fault: files.to: s3://plans needs an access key"),
        "{report}"
    );
}
