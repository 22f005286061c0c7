//! Sockets that systemd opens and passes to the server, so that an upgrade refuses no connection.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use crate::support::cli_process::{Cli, ServerProcess};

/// The command of a server that gets `listener` as file 3, as systemd passes it.
fn server_on(cli: &Cli, listener: &TcpListener) -> Command {
    let start = "exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec \"$@\"";
    let mut command = Command::new("sh");
    command
        .args(["-c", start, "sh", env!("CARGO_BIN_EXE_guardpost"), "serve"])
        .current_dir(cli.folder.path())
        .env_clear()
        .stdin(Stdio::from(OwnedFd::from(listener.try_clone().unwrap())));
    command
}

fn ask(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

fn answer(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_visitor_who_connects_while_the_server_is_replaced_is_answered_by_the_next_one() {
    let cli = Cli::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let old = ServerProcess::run(server_on(&cli, &listener));
    assert_eq!(old.origin(), format!("http://{address}"));
    assert!(answer(ask(address)).starts_with("HTTP/1.1 200"));
    let (good, log) = old.stop("-TERM");
    assert!(good, "{log}");

    let waiting: Vec<_> = (0..20).map(|_| ask(address)).collect();
    let new = ServerProcess::run(server_on(&cli, &listener));
    for stream in waiting {
        assert!(answer(stream).starts_with("HTTP/1.1 200"));
    }
    drop(new);
}
