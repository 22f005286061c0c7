//! Two hundred hostile files: none is shown inline, none keeps metadata, none is too much.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use futures_util::stream::{self, StreamExt};
use image::ImageFormat;
use reqwest::{Method, StatusCode};
use serde_json::Value;

use super::PDF;
use super::pictures::{exif, jpeg_with, picture};
use crate::support::app::TestApp;
use crate::support::people::Person;

/// What must never be found in a file that is shown inline.
const MARK: &[u8] = b"<script>alert(document.domain)</script>";

fn joined(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

/// A chunk of a PNG. The checksum is right, so that only the content is hostile.
pub fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(kind);
    sum.update(data);
    let length = u32::try_from(data.len()).unwrap();
    joined(&[&length.to_be_bytes(), kind, data, &sum.sum().to_be_bytes()])
}

/// Compressed as in PNG and PDF.
pub fn zipped(data: &[u8]) -> Vec<u8> {
    let mut zip = ZlibEncoder::new(Vec::new(), Compression::best());
    zip.write_all(data).unwrap();
    zip.finish().unwrap()
}

/// A PNG that claims these dimensions.
pub fn png_of(width: u32, height: u32, data: &[u8]) -> Vec<u8> {
    let header = joined(&[
        &width.to_be_bytes(),
        &height.to_be_bytes(),
        &[8, 2, 0, 0, 0],
    ]);
    joined(&[
        b"\x89PNG\r\n\x1a\n",
        &chunk(b"IHDR", &header),
        &chunk(b"IDAT", data),
        &chunk(b"IEND", b""),
    ])
}

/// `bytes` with `more` after the first `at` bytes.
pub fn spliced(bytes: &[u8], at: usize, more: &[u8]) -> Vec<u8> {
    joined(&[&bytes[..at], more, &bytes[at..]])
}

/// A segment of a JPEG.
fn segment(marker: u8, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len() + 2).unwrap();
    joined(&[&[0xff, marker], &length.to_be_bytes(), data])
}

fn hostile_files() -> Vec<(String, Vec<u8>)> {
    let jpeg = picture(ImageFormat::Jpeg, 32, 16);
    let png = picture(ImageFormat::Png, 32, 16);
    let webp = picture(ImageFormat::WebP, 32, 16);
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| files.push((name.to_owned(), bytes));
    // Content of another kind under a picture's name.
    for magic in [
        &b"PK\x03\x04"[..],
        b"GIF89a",
        b"MZ\x90\0",
        b"\x7fELF",
        b"BM\0\0",
        b"II*\0",
        b"\0\0\0\x18ftypheic",
        b"\x1f\x8b\x08",
        b"Rar!\x1a\x07",
        b"7z\xbc\xaf",
        b"\xca\xfe\xba\xbe",
        b"\0asm",
        b"FWS\x09",
        b"RIFF\0\0\0\0AVI ",
        b"\xd0\xcf\x11\xe0",
        b"\xef\xbb\xbf<script>",
        b"<!DOCTYPE html>",
        b"<?xml version='1.0'?><svg onload='alert(1)'/>",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"#!/bin/sh\n",
        b"\xfe\xff\0<",
        b"\0",
    ] {
        add("magic.jpg", joined(&[magic, MARK]));
    }
    // Polyglots: a picture or a document that is something else as well.
    for tail in [
        &b"PK\x03\x04"[..],
        b"<?php system($_GET[0]); ?>",
        b"%PDF-1.7",
        b"GIF89a",
        MARK,
    ] {
        for (name, base) in [("p.jpg", &jpeg), ("p.png", &png), ("p.webp", &webp)] {
            add(name, joined(&[base, tail, MARK]));
        }
        add("p.pdf", joined(&[PDF, tail, MARK]));
        add("front.png", joined(&[tail, MARK, &png]));
        add("front.pdf", joined(&[tail, MARK, PDF]));
    }
    // Metadata in every place that a format has for it.
    for marker in [0xe0, 0xe1, 0xe2, 0xe5, 0xec, 0xed, 0xee, 0xfe] {
        add("seg.jpg", spliced(&jpeg, 2, &segment(marker, MARK)));
    }
    for kind in [
        b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"iCCP", b"tIME", b"prVt", b"acTL",
    ] {
        add(
            "chunk.png",
            spliced(&png, 33, &chunk(kind, &joined(&[b"x\0\0", MARK]))),
        );
        add(
            "bomb.png",
            spliced(
                &png,
                33,
                &chunk(kind, &joined(&[b"x\0\0", &zipped(&vec![0; 30_000_000])])),
            ),
        );
    }
    for orientation in 0..=9 {
        add(
            "gps.jpg",
            jpeg_with(&joined(&[&exif(orientation), MARK]), None),
        );
    }
    // Giant dimensions, and bombs.
    let rows = zipped(&vec![0; 20_000_000]);
    for (width, height) in [
        (1, 65_535),
        (65_535, 1),
        (65_535, 65_535),
        (0, 0),
        (u32::MAX, u32::MAX),
        (1 << 31, 1),
        (50_001, 1_000),
        (7_072, 7_071),
        (2_000, 3_333),
        (1, 1),
    ] {
        add("giant.png", png_of(width, height, &rows));
    }
    for (width, height) in [
        (0xffff_u16, 0xffff_u16),
        (0xffff, 1),
        (0, 0),
        (9_000, 9_000),
    ] {
        let mut giant = jpeg.clone();
        let at = giant
            .windows(2)
            .position(|pair| pair == [0xff, 0xc0])
            .unwrap();
        giant[at + 5..at + 7].copy_from_slice(&height.to_be_bytes());
        giant[at + 7..at + 9].copy_from_slice(&width.to_be_bytes());
        add("giant.jpg", giant);
    }
    // Cut and damaged pictures.
    for (name, base) in [("cut.jpg", &jpeg), ("cut.png", &png), ("cut.webp", &webp)] {
        for part in 1..20 {
            add(name, base[..base.len() * part / 20].to_vec());
            let mut damaged = base.clone();
            let at = 12 + (damaged.len() - 12) * part / 21;
            damaged[at] ^= 0xff;
            add(name, damaged);
        }
    }
    // Documents with something to run.
    for content in [
        &b"/OpenAction << /S /JavaScript /JS (app.alert(1)) >>"[..],
        b"/AA << /O << /S /Launch /F (cmd.exe) >> >>",
        b"/EmbeddedFile",
        b"/URI (javascript:alert(1))",
    ] {
        add("active.pdf", joined(&[PDF, content, MARK]));
    }
    files
}

/// What was stored of a file that was accepted, as its download answers.
async fn check_download(app: &TestApp, admin: &Person, place: &str, sent: &str) {
    let path = format!("/object/{place}");
    let answer = app.storage(Some(admin), Method::GET, &path, "").await;
    assert_eq!(answer.status(), StatusCode::OK, "{sent}");
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(
        header("content-security-policy"),
        "default-src 'none'; sandbox"
    );
    let (kind, disposition) = (header("content-type"), header("content-disposition"));
    let bytes = answer.bytes().await.unwrap();
    if kind == "application/pdf" {
        assert!(disposition.starts_with("attachment;"), "{sent}");
        return;
    }
    assert!(disposition.starts_with("inline;"), "{sent}: {kind}");
    assert!(["image/jpeg", "image/png", "image/webp"].contains(&kind.as_str()));
    for hidden in [MARK, b"29.7604", b"Exif", b"<?php"] {
        let found = bytes.windows(hidden.len()).any(|part| part == hidden);
        assert!(!found, "{sent} kept {}", String::from_utf8_lossy(hidden));
    }
    image::load_from_memory(&bytes).unwrap();
}

#[tokio::test]
async fn two_hundred_hostile_files_do_no_harm() {
    let app = TestApp::with(|config| {
        config.limits.api_per_minute = 100_000;
        config.limits.form_max = 1_000;
    })
    .await;
    let admin = app.admin().await;
    let files = hostile_files();
    assert!(files.len() >= 200, "{}", files.len());
    let outcomes = stream::iter(files.iter().enumerate().map(|(n, (name, bytes))| {
        let (app, admin) = (&app, &admin);
        async move {
            let grant = app.grant().await;
            let key = format!("{n}-{name}");
            let answer = app.add_file(&grant, &key, bytes).await;
            let status = answer.status();
            let body: Value = answer.json().await.unwrap();
            if status == StatusCode::OK {
                let place = format!("quotes/{}/{key}", grant.quote_id);
                check_download(app, admin, &place, &key).await;
                return true;
            }
            assert_eq!(status, StatusCode::BAD_REQUEST, "{key}: {body}");
            let code = body["code"].as_str().unwrap();
            assert!(
                ["InvalidMimeType", "EntityTooLarge"].contains(&code),
                "{key}: {body}"
            );
            false
        }
    }));
    let accepted = outcomes
        .buffer_unordered(4)
        .filter(|ok| std::future::ready(*ok));
    let accepted = accepted.count().await;
    assert!(accepted > 20 && accepted < files.len() - 50, "{accepted}");
}
