use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::lookup::Lookup;
use super::{Failure, Outgoing, Post};

/// Names with the addresses of each lookup, in turn; the last one stays.
fn names(table: &[(&'static str, &[&[&str]])]) -> Lookup {
    let parse = |texts: &&[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
    let table = table.iter();
    let table = table.map(|(name, answers)| (*name, answers.iter().map(parse).collect()));
    let names: HashMap<&str, Vec<Vec<IpAddr>>> = table.collect();
    let names = Mutex::new(names);
    Arc::new(move |name| {
        let mut names = names.lock().unwrap();
        let found = names
            .get_mut(name.as_str())
            .map(|answers| match answers.len() {
                1 => answers[0].clone(),
                _ => answers.remove(0),
            });
        Box::pin(async move { found.ok_or_else(|| std::io::Error::other("no such name")) })
    })
}

fn settings(allow: &[&str]) -> config::Outgoing {
    config::Outgoing {
        allow: allow.iter().map(|net| net.parse().unwrap()).collect(),
    }
}

/// A server that counts its connections and answers each with `response`.
async fn server(response: &'static str) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, count) = (listener.local_addr().unwrap().port(), Arc::default());
    let counted: Arc<AtomicUsize> = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, SeqCst);
            let mut head = [0; 1024];
            let _ = stream.read(&mut head).await;
            let _ = stream.write_all(response.as_bytes()).await;
        }
    });
    (port, count)
}

fn provider() {
    let _ = tokio_rustls::rustls::crypto::aws_lc_rs::default_provider().install_default();
}

/// Hosts of literal addresses, each with `:PORT` appended by the test.
const LITERALS: [&str; 28] = [
    "127.0.0.1",
    "127.1",
    "0",
    "0x7f000001",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "0xa9fea9fe",
    "100.64.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "192.88.99.1",
    "224.0.0.1",
    "255.255.255.255",
    "localhost",
    "localhost.",
    "[::1]",
    "[::ffff:169.254.169.254]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::]",
    "[2001:db8::1]",
    "[ff02::1]",
];

/// Names that lead to addresses which are not public, alone or among others.
const HOSTILE_NAMES: [(&str, &[&[&str]]); 4] = [
    ("metadata.google.internal", &[&["169.254.169.254"]]),
    ("nat64.example", &[&["64:ff9b::a9fe:a9fe"]]),
    ("mixed.example", &[&["93.184.216.34", "127.0.0.1"]]),
    ("rebinds.example", &[&["127.0.0.1"], &["93.184.216.34"]]),
];

#[tokio::test]
async fn hostile_targets_are_refused_and_none_is_reached() {
    provider();
    let (port, reached) = server("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let outgoing = Outgoing::with_lookup(&settings(&[]), names(&HOSTILE_NAMES));
    let hosts = LITERALS.iter().copied();
    let hosts = hosts.chain(HOSTILE_NAMES.iter().map(|(name, _)| *name));
    for host in hosts {
        for scheme in ["https", "http"] {
            let url = format!("{scheme}://{host}:{port}/hook");
            let post = Post {
                url: url.clone(),
                ..Post::default()
            };
            let answer = outgoing.post(post).await;
            assert!(
                matches!(answer, Err(Failure::Refused(_))),
                "{url}: {answer:?}"
            );
        }
    }
    for url in [
        "file:///etc/passwd",
        "gopher://a.example/",
        "https://u:p@a.example/",
        "",
        "//x",
    ] {
        assert!(outgoing.check(url).is_err(), "{url}");
    }
    assert_eq!(reached.load(SeqCst), 0);
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    provider();
    let (inside, reached) = server("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let head = format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:{inside}/\r\n\
         content-length: 0\r\n\r\n"
    );
    let (port, _) = server(head.leak()).await;
    let outgoing = Outgoing::new(&settings(&["127.0.0.0/8"]));
    let url = format!("http://127.0.0.1:{port}/");
    let answer = outgoing
        .post(Post {
            url,
            ..Post::default()
        })
        .await
        .unwrap();
    assert_eq!((answer.status, answer.is_success()), (307, false));
    assert_eq!(reached.load(SeqCst), 0);
}

#[tokio::test]
async fn a_network_of_the_setting_is_called_and_public_addresses_are_accepted() {
    provider();
    let (port, reached) = server("HTTP/1.1 204 No Content\r\nretry-after: 9\r\n\r\n").await;
    let outgoing = Outgoing::new(&settings(&["127.0.0.0/8"]));
    let url = format!("http://127.0.0.1:{port}/");
    let answer = outgoing
        .post(Post {
            url,
            ..Post::default()
        })
        .await
        .unwrap();
    assert_eq!((answer.status, answer.retry_after), (204, Some(9)));
    assert_eq!(reached.load(SeqCst), 1);
    for url in [
        "https://hooks.slack.com/x",
        "https://93.184.216.34/",
        "https://[2606:2800::1]/",
    ] {
        assert!(outgoing.check(url).is_ok(), "{url}");
    }
    assert!(outgoing.check("http://ntfy.sh/x").is_err(), "without TLS");
}
