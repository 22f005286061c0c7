//! Pictures that cost more than they are worth: decoded in a process with limits, and counted.

use std::process::Stdio;
use std::time::Duration;

use image::ImageFormat;
use reqwest::StatusCode;

use super::hostile::png_of;
use super::pictures::picture;
use super::{PDF, refused};
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

/// A JPEG of three components without subsampling, in so many scans of so many bytes.
pub fn jpeg(is_progressive: bool, side: u16, scans: usize, data: usize) -> Vec<u8> {
    let [high, low] = side.to_be_bytes();
    let frame = if is_progressive { 0xC2 } else { 0xC0 };
    let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0];
    bytes.extend([1; 64]);
    bytes.extend([0xFF, frame, 0, 17, 8, high, low, high, low, 3]);
    bytes.extend([1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    // One code of one bit for direct and alternating values: zero, end of the block.
    for table in [0x00, 0x10] {
        bytes.extend([0xFF, 0xC4, 0, 20, table, 1]);
        bytes.extend([0; 15]);
        bytes.push(0);
    }
    for _ in 0..scans {
        let end = if is_progressive { 0 } else { 63 };
        bytes.extend([0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, end, 0]);
        bytes.extend(vec![0; data]);
    }
    bytes.extend([0xFF, 0xD9]);
    bytes
}

#[tokio::test]
async fn a_picture_that_takes_more_memory_or_time_than_it_may_is_refused() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "photos").await;
    for (name, sent, status_code, code) in [
        // 49 megapixels in 9 KB.
        (
            "hollow.jpg",
            jpeg(true, 7000, 90, 80),
            "413",
            "EntityTooLarge",
        ),
        // 36 megapixels, whose coefficients take 216 MB beside the pixels' 108.
        (
            "progressive.jpg",
            jpeg(true, 6000, 1, 390_000),
            "413",
            "EntityTooLarge",
        ),
        // Few pixels that are visited again and again.
        (
            "scans.jpg",
            jpeg(true, 2000, 200, 2_000),
            "415",
            "InvalidMimeType",
        ),
    ] {
        let answer = app.store(&admin, &format!("photos/{name}"), &sent).await;
        refused(answer, 400, status_code, code).await;
    }
    // What is as large and honest is taken.
    let answer = app
        .store(&admin, "photos/a.jpg", &jpeg(false, 2000, 1, 50_000))
        .await;
    assert_eq!(answer.status(), StatusCode::OK);
}

#[tokio::test]
async fn five_pictures_that_cannot_be_read_end_a_grant() {
    let app = TestApp::start().await;
    let (grant, other) = (app.grant().await, app.grant().await);
    let good = picture(ImageFormat::Jpeg, 64, 32);
    let answer = app.add_file(&grant, "good.jpg", &good).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let bad = png_of(64, 32, b"none");
    for n in 0..5 {
        let answer = app.add_file(&grant, &format!("{n}.png"), &bad).await;
        refused(answer, 400, "415", "InvalidMimeType").await;
    }
    for (name, content) in [("5.png", &bad[..]), ("good2.jpg", &good), ("a.pdf", PDF)] {
        let answer = app.add_file(&grant, name, content).await;
        let body = refused(answer, 400, "403", "AccessDenied").await;
        assert!(
            body["message"]
                .as_str()
                .unwrap()
                .contains("could not be read")
        );
    }
    let answer = app.add_file(&other, "good.jpg", &good).await;
    assert_eq!(answer.status(), StatusCode::OK, "another request");
}

#[test]
fn pictures_are_decoded_in_a_process_with_limits_on_memory_and_time() {
    let cli = Cli::new();
    let mut command = cli.command(&["make-picture", "jpeg"]);
    // It waits for the picture.
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let file = format!("/proc/{}/limits", child.id());
    let limit = |limits: &str, name: &str| -> Option<u64> {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let limits = loop {
        let limits = std::fs::read_to_string(&file).unwrap();
        // The machine may limit core files itself: not only the last one that is set counts.
        let names = ["Max core file size", "Max address space", "Max cpu time"];
        if names.iter().all(|name| limit(&limits, name).is_some()) {
            break limits;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let used = status
        .lines()
        .find_map(|line| line.strip_prefix("VmSize:"))
        .unwrap();
    let used: u64 = used.trim().trim_end_matches(" kB").parse().unwrap();
    let memory = limit(&limits, "Max address space").unwrap() - used * 1024;
    assert!(memory <= 256 * 1024 * 1024, "{memory} bytes for a picture");
    assert_eq!(limit(&limits, "Max cpu time"), Some(2));
    assert_eq!(limit(&limits, "Max core file size"), Some(0));
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stderr, b"\"Invalid\"\n", "nothing is no picture");
}
