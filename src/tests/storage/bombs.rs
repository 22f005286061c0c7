//! Files that become large or slow when they are read: no way in makes the server itself read them.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine};
use futures_util::future::join_all;
use image::ImageFormat;
use reqwest::{Client, Response};
use serde_json::{Value, json};

use super::hostile::{chunk, png_of, spliced, zipped};
use super::picture_limits::jpeg;
use super::pictures::picture;
use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::people::PASSWORD;
use crate::support::visitors::{ask, quote, visitor};

/// How much the server may grow beyond its memory before, in kB.
const MAX_GROWTH_KB: u64 = 30 * 1024;
/// What compressed data become, in bytes.
const INFLATED: usize = 64 * 1024 * 1024;

fn webp(chunks: &[&[u8]]) -> Vec<u8> {
    let body = [b"WEBP", chunks.concat().as_slice()].concat();
    let length = u32::try_from(body.len()).unwrap();
    [b"RIFF", &length.to_le_bytes(), body.as_slice()].concat()
}

/// A chunk of a WebP.
fn riff(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap();
    [name.as_slice(), &length.to_le_bytes(), data].concat()
}

/// Sixteen bombs, each of a known kind.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let png = picture(ImageFormat::Png, 32, 16);
    let inflating = zipped(&vec![0; INFLATED]);
    let with =
        |kind, head: &[u8], data: &[u8]| spliced(&png, 33, &chunk(kind, &[head, data].concat()));
    let frames = [
        chunk(b"acTL", &[0xFF; 8]),
        chunk(b"fcTL", &[0x7F; 26]),
        chunk(b"fdAT", &inflating),
    ];
    // A canvas and a frame of 16,384 by 16,384.
    let canvas = riff(b"VP8X", b"\x12\0\0\0\xff\x3f\0\xff\x3f\0");
    let frame = [
        b"\0\0\0\0\0\0\xff\x3f\0\xff\x3f\0\0\0\0\0",
        &riff(b"VP8L", &[0x2F; 64])[..],
    ];
    let frame = riff(b"ANMF", &frame.concat()).repeat(50);
    let mut lossless = b"\x2f\xff\xff\xff\x0f".to_vec();
    lossless.resize(64, 0);
    let exif = riff(b"EXIF", &vec![b'I'; 200_000]);
    let stream = b"%PDF-1.7\n1 0 obj<</Type/ObjStm/N 9999999/First 9/Filter/FlateDecode>>stream\n";
    let long = vec![b'M'; 65_533];
    let segment = [&[0xFF, 0xE1, 0xFF, 0xFF], long.as_slice()].concat();
    vec![
        ("iccp.png", with(b"iCCP", b"x\0\0", &inflating)),
        ("ztxt.png", with(b"zTXt", b"x\0\0", &inflating)),
        ("itxt.png", with(b"iTXt", b"x\0\x01\0\0\0", &inflating)),
        (
            "exif.png",
            with(b"eXIf", b"MM\0*\xff\xff\xff\xff", &[0xFF; 200_000]),
        ),
        (
            "exif.jpg",
            spliced(&jpeg(false, 64, 1, 500), 2, &segment.repeat(8)),
        ),
        ("exif.webp", webp(&[&canvas, &exif])),
        ("ihdr.png", png_of(u32::MAX >> 1, u32::MAX >> 1, &inflating)),
        ("rows.png", png_of(7_000, 7_000, &inflating)),
        ("frames.png", spliced(&png, 33, &frames.concat())),
        ("scans.jpg", jpeg(true, 1_000, 400, 300)),
        ("sides.jpg", jpeg(false, 65_535, 1, 1_000)),
        ("progressive.jpg", jpeg(true, 6_000, 1, 390_000)),
        (
            "animation.webp",
            webp(&[&canvas, &riff(b"ANIM", &[0; 6]), &frame]),
        ),
        ("lossless.webp", webp(&[&riff(b"VP8L", &lossless)])),
        (
            "streams.pdf",
            [stream, inflating.as_slice(), b"\nendstream endobj\n%%EOF"].concat(),
        ),
        (
            "brand.heic",
            [b"\0\0\0\x18ftypheic", inflating.as_slice()].concat(),
        ),
    ]
}

/// The number after `name` in the status of the process, in kB.
fn memory(server: &ServerProcess, name: &str) -> u64 {
    let status = format!("/proc/{}/status", server.pid());
    let status = std::fs::read_to_string(status).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line
        .unwrap()
        .trim_start_matches(':')
        .trim()
        .split(' ')
        .next();
    number.unwrap().parse().unwrap()
}

/// Does the work; the server's most memory in between must be little more than before.
async fn grows_little<T>(server: &ServerProcess, way: &str, work: impl Future<Output = T>) -> T {
    // Begins the most memory anew.
    std::fs::write(format!("/proc/{}/clear_refs", server.pid()), "5").unwrap();
    let before = memory(server, "VmRSS");
    let done = work.await;
    let growth = memory(server, "VmHWM").saturating_sub(before);
    assert!(
        growth <= MAX_GROWTH_KB,
        "{way}: {growth} kB more than {before}"
    );
    println!("{way}: {growth} kB");
    done
}

/// Sends a file with a quote of its own; the status of the answer.
async fn send(http: &Client, origin: &str, client: &str, (name, bytes): &(&str, Vec<u8>)) -> u16 {
    let asked = quote(json!({"attachments": true, "location": format!("{client} {name}")}));
    let answer = ask(http, origin, client, None, &asked).await.unwrap();
    let receipt: Value = answer.json().await.unwrap();
    let text = |name: &str| receipt["uploads"][name].as_str().unwrap().to_owned();
    let path = format!("{origin}{}{name}?token={}", text("url"), text("token"));
    let put = http.put(path).header("x-forwarded-for", client);
    put.body(bytes.clone())
        .send()
        .await
        .unwrap()
        .status()
        .as_u16()
}

async fn post(http: &Client, url: String, token: &str, body: &Value) -> Response {
    http.post(url)
        .bearer_auth(token)
        .json(body)
        .send()
        .await
        .unwrap()
}

/// An email with the files, received by the server's mail program.
fn receive(cli: &Cli, files: &[(&str, Vec<u8>)]) {
    let mut email = "From: Maria <maria@property.example>\nTo: office@guardpost.example\n\
        Message-ID: <bombs@property.example>\nSubject: bombs\n\
        Content-Type: multipart/mixed; boundary=b\n\n"
        .to_owned();
    for (name, bytes) in files {
        email += &format!(
            "--b\nContent-Type: application/octet-stream; name={name}\n\
             Content-Disposition: attachment; filename={name}\n\
             Content-Transfer-Encoding: base64\n\n{}\n",
            BASE64_STANDARD.encode(bytes)
        );
    }
    let mut command = cli.command(&["receive"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all((email + "--b--\n").as_bytes()).unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_bomb_grows_the_server_sent_by_a_visitor_by_email_or_in_the_editor() {
    let cli = Cli::new();
    let settings = "[limits]\nform_max = 1000\napi_per_minute = 1000\n\
        [mail.inbound]\naddress = \"office@guardpost.example\"\n";
    std::fs::write(cli.path("config.toml"), settings).unwrap();
    assert!(cli.create_admin("ada@guard.example", PASSWORD).success);
    let server = ServerProcess::start(&cli, &[]);
    let (origin, http, bombs) = (server.origin(), Client::new(), bombs());
    let sign_in = format!("{origin}/auth/v1/token?grant_type=password");
    let body = json!({"email": "ada@guard.example", "password": PASSWORD});
    let session: Value = post(&http, sign_in, "", &body).await.json().await.unwrap();
    let token = session["access_token"].as_str().unwrap();
    // What every server does once is no growth by a bomb.
    let good = ("good.png", picture(ImageFormat::Png, 700, 500));
    assert_eq!(send(&http, &origin, &visitor(0), &good).await, 200);

    let all = |visitor_of: fn(u32) -> String| {
        let sent = (1..).zip(&bombs);
        join_all(sent.map(|(n, bomb)| {
            let (http, origin, client) = (&http, &origin, visitor_of(n));
            async move { send(http, origin, &client, bomb).await }
        }))
    };
    let answers = grows_little(&server, "one address", all(|_| visitor(1))).await;
    for (status, (name, _)) in answers.iter().zip(&bombs) {
        assert!([200, 400].contains(status), "{name}: {status}");
    }
    grows_little(&server, "sixteen addresses", all(visitor)).await;

    let pictures = format!("{origin}/api/admin/site/pictures");
    let editor = join_all(bombs.iter().map(|(_, bytes)| {
        let body = json!({"data": BASE64_STANDARD.encode(bytes)});
        let (http, pictures) = (&http, pictures.clone());
        async move { post(http, pictures, token, &body).await.status() }
    }));
    for status in grows_little(&server, "editor", editor).await {
        assert_eq!(status, 422);
    }

    receive(&cli, &bombs);
    let unmatched = format!("{origin}/api/admin/unmatched");
    let email = async {
        loop {
            let list = http.get(&unmatched).bearer_auth(token).send().await;
            let list: Value = list.unwrap().json().await.unwrap();
            if list["count"] == 1 {
                return list;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let list = grows_little(&server, "email", email).await;
    let files = list["emails"][0]["detail"]["files"].as_array().unwrap();
    assert_eq!(files.len(), bombs.len(), "{list}");
    assert_eq!(
        send(&http, &origin, &visitor(99), &good).await,
        200,
        "it runs"
    );
}
