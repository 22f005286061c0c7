//! Buckets: Moto, a server of the S3 protocol, as a separate process, which `just test-rust`
//! installs, and a line to it that can be cut.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread;

use config::{S3, Secret};
use reqwest::StatusCode;
use s3::{Bucket, Patience};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The server of all tests in this process.
static SERVER: LazyLock<Moto> = LazyLock::new(|| Moto::start("moto.server.main(argv)"));
/// A server that takes every object for two hours old.
static OLD_SERVER: LazyLock<Moto> = LazyLock::new(|| {
    let earlier = "moto.core.utils.utcnow() - datetime.timedelta(hours=2)";
    Moto::start(&format!(
        "moto.s3.models.utcnow = lambda: {earlier}; moto.server.main(argv)"
    ))
});

struct Moto {
    address: SocketAddr,
    /// Ends when its standard input is closed, as it is at the end of this process.
    _process: Child,
}

impl Moto {
    fn start(run: &str) -> Self {
        let moto = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/moto");
        let imports = "import datetime, moto.core.utils, moto.s3.models, moto.server";
        let program = format!("{imports}; argv = ['-p', '0']; {run}");
        let mut process = Command::new("/bin/sh")
            .args(["-c", "python3 -c \"$PROGRAM\" & read -r end; kill $!"])
            .env("PYTHONPATH", moto)
            .env("PROGRAM", program)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = lines.find_map(|line| {
            let line = line.unwrap();
            let (_, address) = line.split_once("Running on http://")?;
            // Colors may follow.
            let is_address = |c: &char| c.is_ascii_digit() || ".:".contains(*c);
            address
                .chars()
                .take_while(is_address)
                .collect::<String>()
                .parse()
                .ok()
        });
        let address = address.expect("`just test-rust` installs the S3 server of the tests");
        thread::spawn(move || lines.for_each(drop));
        Self {
            address,
            _process: process,
        }
    }
}

/// A bucket, which its settings reach over a line that can be cut.
pub struct TestBucket {
    name: String,
    address: SocketAddr,
    is_up: watch::Sender<bool>,
}

impl TestBucket {
    /// A new bucket of this name, which no other test has.
    pub async fn create(name: &str) -> Self {
        Self::create_on(&SERVER, name).await
    }

    /// A new bucket whose objects are two hours old as soon as they are stored.
    pub async fn create_old(name: &str) -> Self {
        Self::create_on(&OLD_SERVER, name).await
    }

    async fn create_on(server: &Moto, name: &str) -> Self {
        let server = server.address;
        let made = reqwest::Client::new()
            .put(format!("http://{server}/{name}"))
            .send();
        assert_eq!(made.await.unwrap().status(), StatusCode::OK);
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (is_up, state) = watch::channel(true);
        // A separate one: a backup blocks the thread of its test.
        thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            runtime
                .enable_all()
                .build()
                .unwrap()
                .block_on(serve_line(listener, server, state));
        });
        Self {
            name: name.to_owned(),
            address,
            is_up,
        }
    }

    /// The address of a part of the bucket.
    pub fn address(&self, prefix: &str) -> String {
        format!("s3://{}/{prefix}", self.name)
    }

    /// The settings of the service, over the line.
    pub fn settings(&self) -> S3 {
        S3 {
            endpoint: format!("http://{}", self.address),
            access_key_id: "test".to_owned(),
            secret_access_key: Secret::new("test secret"),
            ..S3::default()
        }
    }

    /// The settings as a section of a file, for commands that get the secret in their environment.
    pub fn section(&self) -> String {
        format!(
            "[s3]\nendpoint = \"http://{}\"\naccess_key_id = \"test\"\n",
            self.address
        )
    }

    /// A client of the bucket itself.
    pub fn client(&self) -> Bucket {
        let address = format!("s3://{}", self.name);
        Bucket::open(&self.settings(), &address, Patience::Request).unwrap()
    }

    /// The names in the bucket, without those of the marks of owners.
    pub fn names(&self) -> Vec<String> {
        let found = self.client().list().unwrap().into_iter();
        let names = found.map(|object| object.name);
        names.filter(|name| !name.ends_with("owner.json")).collect()
    }

    /// Cuts the line: connections are closed, and new ones too.
    pub fn cut(&self) {
        self.is_up.send_replace(false);
    }

    /// Mends the line.
    pub fn mend(&self) {
        self.is_up.send_replace(true);
    }
}

/// Connects clients with the server until the test has ended.
async fn serve_line(
    listener: std::net::TcpListener,
    server: SocketAddr,
    state: watch::Receiver<bool>,
) {
    let listener = TcpListener::from_std(listener).unwrap();
    let mut ended = state.clone();
    let accept = async {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(connect(client, server, state.clone()));
        }
    };
    tokio::select! {
        () = accept => {}
        () = async { while ended.changed().await.is_ok() {} } => {}
    }
}

/// Connects a client with the server while the line is up.
async fn connect(mut client: TcpStream, server: SocketAddr, mut state: watch::Receiver<bool>) {
    if !*state.borrow() {
        return;
    }
    let mut server = TcpStream::connect(server).await.unwrap();
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
        _ = state.wait_for(|is_up| !is_up) => {}
    }
}
