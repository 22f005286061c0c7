//! Width and height in the header of a picture, read from their fixed places. This is all that the
//! server itself reads of a picture; it allocates nothing. The decoder may find others.

use std::io::{Read, Seek, SeekFrom};

use domain::storage::content_type::ContentType;

/// Segments of a JPEG that are passed over before its frame: those of cameras have fewer.
const MAX_SEGMENTS: usize = 500;

/// Width and height of a picture; `None` if its header declares none. Blocks.
pub(crate) fn dimensions(
    picture: &mut (impl Read + Seek),
    kind: ContentType,
) -> Option<(u32, u32)> {
    match kind {
        ContentType::Png => png(picture),
        ContentType::WebP => webp(picture),
        _ => jpeg(picture),
    }
}

/// The first chunk, IHDR, begins with both (PNG, section 11.2.1).
fn png(picture: &mut (impl Read + Seek)) -> Option<(u32, u32)> {
    let [w1, w2, w3, w4, h1, h2, h3, h4] = bytes_at(picture, 16)?;
    let width = u32::from_be_bytes([w1, w2, w3, w4]);
    Some((width, u32::from_be_bytes([h1, h2, h3, h4])))
}

/// The first chunk is `VP8 ` (RFC 6386, section 9.1), `VP8L` or `VP8X` (RFC 9649).
fn webp(picture: &mut (impl Read + Seek)) -> Option<(u32, u32)> {
    let name: [u8; 4] = bytes_at(picture, 12)?;
    match &name {
        b"VP8 " => {
            let [w1, w2, h1, h2] = bytes_at(picture, 26)?;
            let side = |bytes| u32::from(u16::from_le_bytes(bytes) & 0x3FFF);
            Some((side([w1, w2]), side([h1, h2])))
        }
        b"VP8L" => {
            let bits = u32::from_le_bytes(bytes_at(picture, 21)?);
            Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
        }
        b"VP8X" => {
            let [w1, w2, w3, h1, h2, h3] = bytes_at(picture, 24)?;
            let width = u32::from_le_bytes([w1, w2, w3, 0]) + 1;
            Some((width, u32::from_le_bytes([h1, h2, h3, 0]) + 1))
        }
        _ => None,
    }
}

/// A start of frame has both; other segments come before it (ITU-T T.81, annex B).
fn jpeg(picture: &mut (impl Read + Seek)) -> Option<(u32, u32)> {
    let mut at = 2;
    for _ in 0..MAX_SEGMENTS {
        let [0xFF, marker, length @ .., _, h1, h2, w1, w2] = bytes_at::<9>(picture, at)? else {
            return None;
        };
        at += match marker {
            // DHT, JPG and DAC are no frames.
            0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                let side = |bytes| u32::from(u16::from_be_bytes(bytes));
                return Some((side([w1, w2]), side([h1, h2])));
            }
            // A fill byte; markers without a segment.
            0xFF => 1,
            0x01 | 0xD0..=0xD8 => 2,
            _ => 2 + u64::from(u16::from_be_bytes(length)),
        };
    }
    None
}

fn bytes_at<const N: usize>(picture: &mut (impl Read + Seek), at: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    picture.seek(SeekFrom::Start(at)).ok()?;
    picture.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::codecs::jpeg::JpegEncoder;
    use image::codecs::webp::WebPEncoder;
    use image::{DynamicImage, ImageEncoder, ImageFormat, RgbImage};

    use super::{ContentType, dimensions};

    const KINDS: [ContentType; 3] = [ContentType::Jpeg, ContentType::Png, ContentType::WebP];

    fn of(kind: ContentType, bytes: &[u8]) -> Option<(u32, u32)> {
        dimensions(&mut Cursor::new(bytes), kind)
    }

    /// A picture of 300 by 200 in each format, with metadata and without.
    fn pictures() -> Vec<(ContentType, Vec<u8>)> {
        let image = DynamicImage::from(RgbImage::new(300, 200));
        let encoded = |format| {
            let mut bytes = Cursor::new(Vec::new());
            image.write_to(&mut bytes, format).unwrap();
            bytes.into_inner()
        };
        let (mut jpeg, mut webp) = (Vec::new(), Vec::new());
        let mut encoder = JpegEncoder::new(&mut jpeg);
        // A frame of another size inside the metadata is not the picture's.
        encoder
            .set_exif_metadata(encoded(ImageFormat::Jpeg))
            .unwrap();
        image.write_with_encoder(encoder).unwrap();
        let mut encoder = WebPEncoder::new_lossless(&mut webp);
        encoder.set_exif_metadata(vec![0; 9]).unwrap();
        image.write_with_encoder(encoder).unwrap();
        // The head of a lossy one.
        let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x2c\x01\xc8\0";
        vec![
            (ContentType::Jpeg, encoded(ImageFormat::Jpeg)),
            (ContentType::Jpeg, jpeg),
            (ContentType::Png, encoded(ImageFormat::Png)),
            (ContentType::WebP, encoded(ImageFormat::WebP)),
            (ContentType::WebP, webp),
            (ContentType::WebP, lossy.to_vec()),
        ]
    }

    #[test]
    fn the_header_of_every_format_says_width_and_height() {
        for (kind, bytes) in pictures() {
            assert_eq!(of(kind, &bytes), Some((300, 200)), "{kind:?}");
        }
    }

    #[test]
    fn nothing_that_is_cut_or_malformed_breaks_the_reading() {
        for (kind, bytes) in pictures() {
            for length in 0..bytes.len().min(700) {
                let _ = of(kind, &bytes[..length]);
            }
        }
        for noise in [&[0xFF; 4096][..], b"\xff\xd8\xff\xe0\0\0", &[0; 64]] {
            assert_eq!(of(ContentType::Jpeg, noise), None);
        }
    }

    #[test]
    #[ignore = "just fuzz-parsers"]
    fn fuzz_headers_of_pictures() {
        let seeds: Vec<_> = pictures().into_iter().map(|(_, bytes)| bytes).collect();
        let bound = std::time::Duration::from_secs(1);
        fuzzing::fuzz("pictures", &seeds, &[], bound, |bytes| {
            for kind in KINDS {
                let _ = of(kind, bytes);
            }
        });
    }
}
