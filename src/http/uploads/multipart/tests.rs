//! Parts at every split of their body, and the limits of buffered data.

use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use poem::http::HeaderMap;

use super::{MAX_PARTS, Multipart, MultipartError, Part, boundary};
use crate::uploads::body::{Fault, UploadBody};

/// All parts of `body`, which arrives `step` bytes at a time.
async fn parts(body: &[u8], step: usize) -> Result<Vec<(Part, Vec<u8>)>, MultipartError> {
    let chunks: Vec<Result<Bytes, std::io::Error>> = body
        .chunks(step)
        .map(|chunk| Ok(Bytes::copy_from_slice(chunk)))
        .collect();
    let body = poem::Body::from_bytes_stream(stream::iter(chunks));
    let second = Duration::from_secs(1);
    let mut body = UploadBody::with_silence(body, &HeaderMap::new(), 1_000_000, second);
    let mut multipart = Multipart::new(&mut body, "xx");
    let mut parts = Vec::new();
    while let Some(part) = multipart.next_part().await? {
        let mut data = Vec::new();
        while let Some(chunk) = multipart.chunk().await? {
            data.extend_from_slice(&chunk);
        }
        parts.push((part, data));
    }
    Ok(parts)
}

const BODY: &[u8] = b"--xx\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n\
    3600\r\n\
    --xx  \r\ncontent-disposition: form-data; name=\"\"; filename=\"a;b.png\"\r\n\
    Content-Type: image/png\r\n\r\n\
    \r\n--x\r\n\r\n--\r\n--xx--\r\nepilogue";

#[tokio::test]
async fn parts_are_the_same_however_the_body_is_cut() {
    for step in [1, 2, 3, 7, 64, 1000] {
        let parts = parts(BODY, step).await.unwrap();
        assert_eq!(parts.len(), 2, "{step}");
        assert_eq!(parts[0].0.name, "cacheControl");
        assert_eq!(parts[0].1, b"3600");
        let Part {
            name,
            file_name,
            content_type,
            overhead,
        } = &parts[1].0;
        assert_eq!(name, "");
        assert_eq!(file_name.as_deref(), Some("a;b.png"));
        assert_eq!(content_type.as_deref(), Some("image/png"));
        assert!(*overhead > 80, "the headers count: {overhead}");
        assert_eq!(parts[1].1, b"\r\n--x\r\n\r\n--");
    }
}

#[tokio::test]
async fn parts_headers_and_the_whole_are_limited() {
    let part = "--xx\r\nContent-Disposition:form-data;name=\r\n\r\n\r\n";
    let many = part.repeat(MAX_PARTS) + "--xx--\r\n";
    assert_eq!(parts(many.as_bytes(), 100).await.unwrap().len(), MAX_PARTS);
    let more = part.repeat(MAX_PARTS + 1) + "--xx--\r\n";
    let long = format!(
        "--xx\r\nContent-Disposition: form-data; name=\"{}",
        "a".repeat(9000)
    );
    let unnamed = "--xx\r\nContent-Type: text/plain\r\n\r\n\r\n--xx--\r\n";
    let bare = "x".repeat(20_000);
    let big = format!("{part}{}", "x".repeat(1_000_000));
    for (body, error) in [
        (more, MultipartError::TooManyParts),
        (long.clone(), MultipartError::Malformed),
        (long + "\"\r\n\r\n\r\n--xx--", MultipartError::Malformed),
        (unnamed.to_owned(), MultipartError::Malformed),
        (bare, MultipartError::Malformed),
        (big, MultipartError::Body(Fault::TooLong)),
    ] {
        for step in [10, 1000] {
            let found = parts(body.as_bytes(), step).await;
            assert_eq!(found, Err(error), "{step}: {:.60}", body);
        }
    }
}

#[test]
fn the_boundary_is_a_parameter_of_the_type() {
    for (value, found) in [
        ("multipart/form-data; boundary=xx", Some(Some("xx"))),
        (
            "Multipart/Form-Data;charset=utf-8; boundary=\"a b\"",
            Some(Some("a b")),
        ),
        ("multipart/form-data", Some(None)),
        ("text/plain; boundary=xx", None),
    ] {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", value.parse().unwrap());
        let found = found.map(|found| found.map(str::to_owned));
        assert_eq!(boundary(&headers), found, "{value}");
    }
}

#[test]
#[ignore = "just fuzz-parsers"]
fn fuzz_forms_with_files() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let words = [
        "--xx\r\n",
        "--xx--",
        "\r\n\r\n",
        "Content-Disposition: form-data; name=\"",
        "; filename=\"a\\\"b",
    ];
    let bound = Duration::from_secs(2);
    fuzzing::fuzz("forms", &[BODY.to_vec()], &words, bound, |bytes| {
        for step in [7, 1_000] {
            let _ = runtime.block_on(parts(bytes, step));
        }
        let content_type = String::from_utf8_lossy(bytes);
        if let Ok(value) = content_type.parse() {
            let mut headers = HeaderMap::new();
            headers.insert("content-type", value);
            let _ = boundary(&headers);
        }
    });
}
