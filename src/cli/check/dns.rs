//! A DNS query for TXT records (RFC 1035) over TCP, which every server answers (RFC 7766).

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

const TXT: u16 = 16;
const INTERNET: u16 = 1;
/// How long the answer may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The header of a query: recursion desired; one question.
const HEADER: [u8; 12] = [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];

/// The first DNS server of `/etc/resolv.conf`.
pub(super) fn system_server() -> Option<SocketAddr> {
    let text = fs::read_to_string("/etc/resolv.conf").ok()?;
    let server = |line: &str| -> Option<IpAddr> {
        line.trim().strip_prefix("nameserver")?.trim().parse().ok()
    };
    Some(SocketAddr::new(text.lines().find_map(server)?, 53))
}

/// The TXT records of `name`; empty if the name does not exist. Fails if the server does not answer
/// or refuses.
pub(super) async fn txt(server: SocketAddr, name: &str) -> Result<Vec<String>> {
    let asked = timeout(TIMEOUT, ask(server, &query(name)?)).await;
    let answer = asked.context("it takes too long").and_then(|answer| answer);
    parse(&answer.with_context(|| format!("the DNS server {server} does not answer"))?)
}

fn query(name: &str) -> Result<Vec<u8>> {
    let mut message = HEADER.to_vec();
    for label in name.split('.') {
        let length = u8::try_from(label.len())
            .ok()
            .filter(|length| (1..64).contains(length));
        message.push(length.with_context(|| format!("`{name}` is no domain"))?);
        message.extend(label.as_bytes());
    }
    message.push(0);
    message.extend(TXT.to_be_bytes());
    message.extend(INTERNET.to_be_bytes());
    Ok(message)
}

async fn ask(server: SocketAddr, query: &[u8]) -> Result<Vec<u8>> {
    let mut stream = TcpStream::connect(server).await?;
    stream.write_u16(u16::try_from(query.len())?).await?;
    stream.write_all(query).await?;
    let length = stream.read_u16().await?;
    let mut answer = vec![0; length.into()];
    stream.read_exact(&mut answer).await?;
    Ok(answer)
}

fn parse(answer: &[u8]) -> Result<Vec<String>> {
    let number = |at: usize| -> Result<u16> {
        let bytes = answer.get(at..at + 2).context("the DNS answer is cut")?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    };
    match number(2)? & 0xf {
        0 => {}
        // The name does not exist.
        3 => return Ok(Vec::new()),
        code => bail!("the DNS server refuses with code {code}"),
    }
    let (questions, records) = (number(4)?, number(6)?);
    let (mut at, mut texts) = (HEADER.len(), Vec::new());
    for _ in 0..questions {
        at = skip_name(answer, at)? + 4;
    }
    for _ in 0..records {
        at = skip_name(answer, at)?;
        let (kind, length) = (number(at)?, usize::from(number(at + 8)?));
        let data = answer
            .get(at + 10..at + 10 + length)
            .context("the DNS answer is cut")?;
        if kind == TXT {
            texts.push(join_strings(data));
        }
        at += 10 + length;
    }
    Ok(texts)
}

/// The position after the name at `at`.
fn skip_name(answer: &[u8], mut at: usize) -> Result<usize> {
    loop {
        match answer.get(at).context("the DNS answer is cut")? {
            0 => return Ok(at + 1),
            // A pointer to an earlier name ends this one.
            length if length & 0xc0 == 0xc0 => return Ok(at + 2),
            length => at += 1 + usize::from(*length),
        }
    }
}

/// The text of a TXT record: its strings, joined.
fn join_strings(mut data: &[u8]) -> String {
    let mut text = Vec::new();
    while let Some((length, rest)) = data.split_first() {
        let length = usize::from(*length).min(rest.len());
        text.extend(&rest[..length]);
        data = &rest[length..];
    }
    String::from_utf8_lossy(&text).into_owned()
}
