//! Load generator: keep-alive HTTP/1.1 connections, each sending its next request after the last
//! response. One thread, to disturb the server little.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The result of a load.
pub struct Found {
    /// Responses per second with the expected status.
    pub rate: f64,
    /// Responses with the expected status.
    pub answers: u64,
    /// Responses with another status.
    pub others: u64,
    /// The median latency.
    pub median: Duration,
    /// The 99th percentile of the latency.
    pub p99: Duration,
}

/// When a load ends.
#[derive(Clone, Copy)]
pub enum Until {
    Time(Duration),
    Answers(u64),
}

/// Sends the requests of `request` (which takes a running number) over `connections` connections
/// and expects `status`.
pub fn run(
    address: SocketAddr,
    connections: usize,
    until: Until,
    status: u16,
    request: impl Fn(u32) -> Vec<u8> + Copy + 'static,
) -> Found {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let start = Instant::now();
    let work = async move {
        let local = tokio::task::LocalSet::new();
        let each = match until {
            Until::Answers(all) => all / connections as u64,
            Until::Time(_) => u64::MAX,
        };
        let end = match until {
            Until::Time(time) => start + time,
            Until::Answers(_) => start + Duration::from_secs(3600),
        };
        let tasks: Vec<_> = (0..connections)
            .map(|_| {
                local.spawn_local(async move {
                    let mut stream = TcpStream::connect(address).await.unwrap();
                    stream.set_nodelay(true).unwrap();
                    let (mut buffer, mut waits, mut others) =
                        (Vec::with_capacity(64 * 1024), Vec::new(), 0_u64);
                    while (waits.len() as u64) < each && Instant::now() < end {
                        let bytes = request(NEXT.fetch_add(1, Ordering::Relaxed));
                        let sent = Instant::now();
                        stream.write_all(&bytes).await.unwrap();
                        if answer(&mut stream, &mut buffer).await == status {
                            waits.push(u32::try_from(sent.elapsed().as_micros()).unwrap());
                        } else {
                            others += 1;
                        }
                    }
                    (waits, others)
                })
            })
            .collect();
        local
            .run_until(async move {
                let mut all = (Vec::new(), 0);
                for task in tasks {
                    let (waits, others) = task.await.unwrap();
                    all.0.extend(waits);
                    all.1 += others;
                }
                all
            })
            .await
    };
    let (mut waits, others) = runtime.block_on(work);
    let took = start.elapsed();
    waits.sort_unstable();
    let at = |share: f64| {
        let index = (waits.len() as f64 * share) as usize;
        Duration::from_micros(waits.get(index).copied().unwrap_or(0).into())
    };
    Found {
        rate: waits.len() as f64 / took.as_secs_f64(),
        answers: waits.len() as u64,
        others,
        median: at(0.5),
        p99: at(0.99),
    }
}

/// Reads one response; returns its status.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> u16 {
    buffer.clear();
    loop {
        assert!(
            stream.read_buf(buffer).await.unwrap() > 0,
            "the server closed the connection"
        );
        let Some(head) = buffer.windows(4).position(|four| four == b"\r\n\r\n") else {
            continue;
        };
        let text = std::str::from_utf8(&buffer[..head]).unwrap();
        let length = text
            .lines()
            .find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length")
                    .then(|| value.trim().parse::<usize>().unwrap())
            })
            .unwrap_or(0);
        while buffer.len() < head + 4 + length {
            assert!(
                stream.read_buf(buffer).await.unwrap() > 0,
                "the server closed the connection"
            );
        }
        return std::str::from_utf8(&buffer[9..12])
            .unwrap()
            .parse()
            .unwrap();
    }
}
