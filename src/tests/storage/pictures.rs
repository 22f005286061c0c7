//! Pictures are turned upright and lose invisible data.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageEncoder, ImageFormat, Rgb, RgbImage};
use reqwest::{Method, StatusCode};

use crate::support::app::TestApp;
use crate::support::people::Person;

use super::refused;

/// A picture whose left half is red, in this format.
pub fn picture(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let red_left = |x, _| match x < width / 2 {
        true => Rgb([220, 20, 20]),
        false => Rgb([20, 20, 220]),
    };
    let image = DynamicImage::from(RgbImage::from_fn(width, height, red_left));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// An EXIF block with an orientation and the place where the picture was taken.
pub fn exif(orientation: u8) -> Vec<u8> {
    let entry = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
        [
            &tag.to_le_bytes()[..],
            &kind.to_le_bytes(),
            &count.to_le_bytes(),
            &value,
        ]
        .concat()
    };
    let mut block = b"II*\0\x08\0\0\0\x02\0".to_vec();
    block.extend(entry(0x0112, 3, 1, [orientation, 0, 0, 0]));
    block.extend(entry(0x8825, 4, 1, [38, 0, 0, 0]));
    block.extend([0; 4]);
    block.extend(b"\x01\0");
    block.extend(entry(0x0001, 2, 2, *b"N\0\0\0"));
    block.extend([0; 4]);
    block.extend(b"GPS 29.7604 -95.3698");
    block
}

/// A JPEG with these metadata.
pub fn jpeg_with(exif_block: &[u8], profile: Option<Vec<u8>>) -> Vec<u8> {
    let image = image::load_from_memory(&picture(ImageFormat::Png, 40, 20)).unwrap();
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new(&mut bytes);
    encoder.set_exif_metadata(exif_block.to_vec()).unwrap();
    if let Some(profile) = profile {
        encoder.set_icc_profile(profile).unwrap();
    }
    image.write_with_encoder(encoder).unwrap();
    bytes
}

/// The stored bytes of an object.
pub async fn stored(app: &TestApp, admin: &Person, place: &str) -> Vec<u8> {
    let path = format!("/object/{place}");
    let answer = app.storage(Some(admin), Method::GET, &path, "").await;
    assert_eq!(answer.status(), StatusCode::OK);
    answer.bytes().await.unwrap().into()
}

#[tokio::test]
async fn a_photo_is_turned_upright_and_loses_its_place_and_comments() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "photos").await;
    let sent = jpeg_with(&exif(6), None);
    assert!(sent.windows(7).any(|part| part == b"29.7604"));
    let sent = [&sent[..], b"trailing <script>"].concat();
    let answer = app.store(&admin, "photos/a.jpg", &sent).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let found = stored(&app, &admin, "photos/a.jpg").await;
    for hidden in [&b"Exif"[..], b"29.7604", b"script"] {
        assert!(!found.windows(hidden.len()).any(|part| part == hidden));
    }
    let shown = image::load_from_memory(&found).unwrap().to_rgb8();
    assert_eq!(shown.dimensions(), (20, 40), "turned by a quarter");
    let (top, bottom) = (shown.get_pixel(10, 5).0, shown.get_pixel(10, 35).0);
    assert!(top[0] > 150 && bottom[2] > 150, "{top:?} {bottom:?}");
}

#[tokio::test]
async fn a_color_profile_stays_only_if_it_is_one() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "photos").await;
    let mut profile = vec![0_u8; 200];
    profile[..4].copy_from_slice(&200_u32.to_be_bytes());
    profile[16..20].copy_from_slice(b"RGB ");
    profile[36..40].copy_from_slice(b"acsp");
    profile[150..157].copy_from_slice(b"profile");
    for (name, mark, stays) in [("good.jpg", b"acsp", true), ("bad.jpg", b"html", false)] {
        profile[36..40].copy_from_slice(mark);
        let sent = jpeg_with(&exif(1), Some(profile.clone()));
        let place = format!("photos/{name}");
        assert_eq!(app.store(&admin, &place, &sent).await.status(), 200);
        let found = stored(&app, &admin, &place).await;
        assert_eq!(
            found.windows(7).any(|part| part == b"profile"),
            stays,
            "{name}"
        );
    }
}

#[tokio::test]
async fn every_format_keeps_its_format_and_its_pixels() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "photos").await;
    let mut webp = Vec::new();
    let pixels = image::load_from_memory(&picture(ImageFormat::Png, 64, 32)).unwrap();
    let mut encoder = WebPEncoder::new_lossless(&mut webp);
    encoder.set_exif_metadata(exif(1)).unwrap();
    pixels.write_with_encoder(encoder).unwrap();
    for (name, format, sent) in [
        ("a.png", ImageFormat::Png, picture(ImageFormat::Png, 64, 32)),
        ("a.webp", ImageFormat::WebP, webp),
        (
            "a.jpg",
            ImageFormat::Jpeg,
            picture(ImageFormat::Jpeg, 64, 32),
        ),
    ] {
        let place = format!("photos/{name}");
        assert_eq!(app.store(&admin, &place, &sent).await.status(), 200);
        let found = stored(&app, &admin, &place).await;
        assert_eq!(image::guess_format(&found).unwrap(), format);
        assert!(!found.windows(7).any(|part| part == b"29.7604"), "{name}");
        let shown = image::load_from_memory(&found).unwrap().to_rgb8();
        assert_eq!(shown.dimensions(), (64, 32));
        assert!(shown.get_pixel(8, 8).0[0] > 150 && shown.get_pixel(60, 8).0[2] > 150);
    }
}

#[tokio::test]
async fn more_than_fifty_megapixels_are_too_many() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "photos").await;
    // A gray picture of one color: small to send.
    let mut sent = Cursor::new(Vec::new());
    image::GrayImage::new(10_001, 5_000)
        .write_to(&mut sent, ImageFormat::Png)
        .unwrap();
    let answer = app.store(&admin, "photos/a.png", sent.get_ref()).await;
    refused(answer, 400, "413", "EntityTooLarge").await;
    assert!(app.stored_files().is_empty());
}

/// Lossy WebP pictures like those of `picture`: opaque, and with a transparent corner.
const LOSSY: [&str; 2] = [
    "UklGRlYAAABXRUJQVlA4IEoAAADQAwCdASpAACAAPzmUv1evKqajrBqoAeAnCWMAzM2/gJdIaBS4TwAA/uLgSVgNX7\
     9wfqD+IJ5uT3FH+dvxB+oMDFPbSD6TvGAAAA==",
    "UklGRogAAABXRUJQVlA4WAoAAAAQAAAAPwAAHwAAQUxQSBQAAAABUBqAAOP/pyVJWiEiJgCStvn5/1ZQOCBOAAAA0A\
     MAnQEqQAAgAD85lL9Xryqmo6waqAHgJwljAMtl0ACXSGiVa/4AAP7pD+j9CH/9MPP6/8+4P1XISTDdz/nb8QfqDACK\
     GpGEZVsAAAAA",
];

#[tokio::test]
async fn a_lossy_webp_is_stored_as_jpeg() {
    use base64::Engine;
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "photos").await;
    for (number, sent) in LOSSY.into_iter().enumerate() {
        let sent = base64::engine::general_purpose::STANDARD.decode(sent);
        let place = format!("photos/{number}.webp");
        let answer = app.store(&admin, &place, &sent.unwrap()).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let path = format!("/object/{place}");
        let answer = app.storage(Some(&admin), Method::GET, &path, "").await;
        assert_eq!(answer.headers()["content-type"], "image/jpeg");
        let found = answer.bytes().await.unwrap();
        assert_eq!(image::guess_format(&found).unwrap(), ImageFormat::Jpeg);
        let shown = image::load_from_memory(&found).unwrap().to_rgb8();
        assert_eq!(shown.dimensions(), (64, 32));
        assert!(shown.get_pixel(20, 20).0[0] > 150 && shown.get_pixel(60, 8).0[2] > 150);
        let white = shown.get_pixel(3, 3).0.iter().all(|channel| *channel > 200);
        assert_eq!(white, number == 1, "what is transparent becomes white");
    }
}

/// A PNG of two different lines in turn, which compresses far better than a fast encoder does.
fn striped_png(width: usize, noise: u8) -> Vec<u8> {
    let mut state = 1_u32;
    let mut lines = vec![0_u8; 2 * (1 + 3 * width)];
    for (position, byte) in lines.iter_mut().enumerate() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let is_filter = position % (1 + 3 * width) == 0;
        *byte = if is_filter {
            0
        } else {
            100 + (state >> 24) as u8 % noise
        };
    }
    let side = u32::try_from(width).unwrap();
    let data = super::hostile::zipped(&lines.repeat(width / 2));
    super::hostile::png_of(side, side, &data)
}

#[tokio::test]
async fn a_stored_picture_takes_at_most_three_times_the_space_of_the_sent_one() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "photos").await;
    let sent = striped_png(2000, 8);
    let answer = app.store(&admin, "photos/a.png", &sent).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let found = stored(&app, &admin, "photos/a.png").await;
    assert_eq!(image::guess_format(&found).unwrap(), ImageFormat::Jpeg);
    assert!(
        found.len() <= 3 * sent.len() + 512 * 1024,
        "{}",
        found.len()
    );
    // No quality makes this one small enough in its time.
    let answer = app
        .store(&admin, "photos/b.png", &striped_png(3000, 150))
        .await;
    refused(answer, 400, "413", "EntityTooLarge").await;
    assert_eq!(app.stored_files().len(), 1);
}
