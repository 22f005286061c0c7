//! A client of clamd, the daemon of the virus scanner ClamAV: one command, `INSTREAM`, over a Unix
//! socket or TCP. All functions block.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

/// Timeout of connecting, and of each write.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Bytes sent at once.
const CHUNK: usize = 64 * 1024;
/// Maximum length of a reply.
const MAX_REPLY: u64 = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A Unix socket.
    Socket(PathBuf),
    /// `host:port`.
    Tcp(String),
}

/// A connection to clamd, for one file.
pub struct Connection(Box<dyn Stream>);

trait Stream: Read + Write {}
impl<S: Read + Write> Stream for S {}

/// The verdict about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing was found.
    Clean,
    /// A signature matches: its name.
    Infected(String),
    /// The scanner refuses this file, because of its limits: its reply.
    Refused(String),
}

impl Address {
    /// The address in the setting `files.clamd`; `None` if it is empty.
    pub fn parse(setting: &str) -> Option<Self> {
        match setting {
            "" => None,
            path if path.starts_with('/') => Some(Self::Socket(path.into())),
            host => Some(Self::Tcp(host.to_owned())),
        }
    }

    /// Connects to clamd, which must answer within `reply`. Fails if clamd cannot be reached.
    pub fn connect(&self, reply: Duration) -> io::Result<Connection> {
        match self {
            Self::Socket(path) => {
                let stream = UnixStream::connect(path)?;
                stream.set_read_timeout(Some(reply))?;
                stream.set_write_timeout(Some(TIMEOUT))?;
                Ok(Connection(Box::new(stream)))
            }
            Self::Tcp(host) => {
                let address = host.to_socket_addrs()?.next();
                let address = address.ok_or(ErrorKind::AddrNotAvailable)?;
                let stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
                stream.set_read_timeout(Some(reply))?;
                stream.set_write_timeout(Some(TIMEOUT))?;
                Ok(Connection(Box::new(stream)))
            }
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(path) => write!(f, "{}", path.display()),
            Self::Tcp(host) => f.write_str(host),
        }
    }
}

impl Connection {
    /// Scans a whole file. Fails if clamd does not answer in time, or not as it should; the file
    /// may be scanned later.
    pub fn scan(mut self, file: &mut File) -> io::Result<Verdict> {
        let sent = send(&mut self.0, file);
        // Above its limits, clamd replies and closes the connection before the file is sent
        // completely.
        let mut reply = Vec::new();
        let read = self.0.take(MAX_REPLY).read_to_end(&mut reply);
        match understand(&reply) {
            Some(verdict @ Verdict::Refused(_)) => Ok(verdict),
            Some(verdict) => sent.map(|()| verdict),
            None => {
                sent?;
                read?;
                Err(io::Error::new(ErrorKind::InvalidData, "unknown reply"))
            }
        }
    }
}

/// Sends the file in chunks, each after its length; a length of zero is the end.
fn send(stream: &mut impl Write, file: &mut File) -> io::Result<()> {
    file.rewind()?;
    stream.write_all(b"zINSTREAM\0")?;
    let mut buffer = vec![0; CHUNK];
    loop {
        let length = file.read(&mut buffer)?;
        // At most `CHUNK`.
        stream.write_all(&(length as u32).to_be_bytes())?;
        if length == 0 {
            return stream.flush();
        }
        stream.write_all(&buffer[..length])?;
    }
}

/// The verdict in a reply such as `stream: Win.Test.EICAR_HDB-1 FOUND`.
fn understand(reply: &[u8]) -> Option<Verdict> {
    let text = String::from_utf8_lossy(reply);
    let text = text.trim_end_matches('\0').trim();
    if text.ends_with("ERROR") {
        return Some(Verdict::Refused(text.chars().take(200).collect()));
    }
    let result = text.strip_prefix("stream: ")?;
    match result.strip_suffix(" FOUND") {
        Some(name) => Some(Verdict::Infected(name.chars().take(200).collect())),
        None => (result == "OK").then_some(Verdict::Clean),
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn an_address_is_a_socket_or_a_host_with_its_port() {
        assert_eq!(Address::parse(""), None);
        let socket = Address::parse("/run/clamav/clamd.ctl");
        assert_eq!(
            socket,
            Some(Address::Socket("/run/clamav/clamd.ctl".into()))
        );
        let host = Address::parse("scanner:3310");
        assert_eq!(host, Some(Address::Tcp("scanner:3310".to_owned())));
    }
}
