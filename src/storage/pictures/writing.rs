//! Writes decoded pictures. A lossless format stays lossless while the file grows little; anything
//! else becomes JPEG, of lower quality if need be: a stored picture takes at most three times the
//! space of the sent one, and half a megabyte.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, GenericImageView, ImageBuffer, ImageEncoder, ImageResult, Pixel};

use crate::pictures::decoding::{Decoded, PictureError, is_quarter_turn};
use domain::storage::content_type::ContentType;

/// How many times as long a written picture may be.
const MAX_GROWTH: u64 = 3;
/// The size that every written picture may have besides, in bytes.
const MIN_LIMIT: u64 = 512 * 1024;
/// Maximum size of a written picture, in bytes.
const MAX_WRITTEN: u64 = 32 * 1024 * 1024;
/// The qualities of JPEG that are tried in turn. At the first, differences cannot be seen.
const QUALITIES: [u8; 4] = [90, 75, 50, 25];
/// Chunks of a WebP file before its pixels that are looked at.
const MAX_CHUNKS: usize = 64;

/// Maximum size of the picture that is written for the one in `input`, in bytes.
pub(crate) fn limit(input: &File) -> io::Result<u64> {
    let grown = input.metadata()?.len().saturating_mul(MAX_GROWTH);
    Ok(grown.saturating_add(MIN_LIMIT).min(MAX_WRITTEN))
}

/// Writes a picture to the empty file `output`; returns the format. `kind` is that of `input`.
pub(crate) fn write(
    mut decoded: Decoded,
    kind: ContentType,
    input: &File,
    mut output: &File,
) -> Result<ContentType, PictureError> {
    let limit = limit(input)?;
    let is_lossless = match kind {
        ContentType::Png => true,
        ContentType::WebP => is_lossless_webp(input)?,
        _ => false,
    };
    if is_lossless {
        decoded = decoded.turned()?;
        let (image, profile) = (&decoded.image, decoded.profile.as_deref());
        let written = bounded(output, limit, |output| match kind {
            ContentType::Png => encode(PngEncoder::new(output), image, profile),
            _ => encode(WebPEncoder::new_lossless(output), image, profile),
        })?;
        if written {
            return Ok(kind);
        }
    }
    let Decoded {
        mut image,
        turn,
        profile,
    } = decoded;
    // A profile of gray pixels does not fit colored ones.
    let becomes_colored = image.color().has_alpha() && !image.color().has_color();
    let profile = profile.as_deref().filter(|_| !becomes_colored);
    flatten(&mut image);
    for quality in QUALITIES {
        output.set_len(0)?;
        output.rewind()?;
        let written = bounded(output, limit, |output| {
            encode_jpeg(output, quality, &image, turn, profile)
        })?;
        if written {
            return Ok(ContentType::Jpeg);
        }
    }
    Err(PictureError::TooLarge)
}

/// Has `write` fill `output`; returns whether `limit` was enough.
fn bounded(
    output: &File,
    limit: u64,
    write: impl FnOnce(&mut Bounded<'_>) -> ImageResult<()>,
) -> Result<bool, PictureError> {
    let mut output = Bounded {
        file: BufWriter::with_capacity(64 * 1024, output),
        left: limit,
        is_exceeded: false,
    };
    let result = write(&mut output);
    if output.is_exceeded {
        return Ok(false);
    }
    result?;
    output.file.flush()?;
    Ok(true)
}

fn encode(
    mut encoder: impl ImageEncoder,
    image: &DynamicImage,
    profile: Option<&[u8]>,
) -> ImageResult<()> {
    if let Some(profile) = profile {
        // An encoder without support for profiles writes none.
        let _ = encoder.set_icc_profile(profile.to_vec());
    }
    image.write_with_encoder(encoder)
}

fn encode_jpeg(
    output: &mut Bounded<'_>,
    quality: u8,
    image: &DynamicImage,
    turn: Orientation,
    profile: Option<&[u8]>,
) -> ImageResult<()> {
    let mut encoder = JpegEncoder::new_with_quality(output, quality);
    if let Some(profile) = profile {
        let _ = encoder.set_icc_profile(profile.to_vec());
    }
    // Without a copy: the pixels take up to 200 MB.
    match image {
        DynamicImage::ImageLuma8(pixels) => encoder.encode_image(&Turned { pixels, turn }),
        DynamicImage::ImageRgb8(pixels) => encoder.encode_image(&Turned { pixels, turn }),
        DynamicImage::ImageRgba8(pixels) => encoder.encode_image(&Turned { pixels, turn }),
        other if other.color().has_color() => {
            let pixels = &other.to_rgb8();
            encoder.encode_image(&Turned { pixels, turn })
        }
        other => {
            let pixels = &other.to_luma8();
            encoder.encode_image(&Turned { pixels, turn })
        }
    }
}

/// Pixels as they are after a quarter turn, without a copy.
struct Turned<'a, P: Pixel> {
    pixels: &'a ImageBuffer<P, Vec<P::Subpixel>>,
    turn: Orientation,
}

impl<P: Pixel> GenericImageView for Turned<'_, P> {
    type Pixel = P;

    fn dimensions(&self) -> (u32, u32) {
        let (width, height) = self.pixels.dimensions();
        match is_quarter_turn(self.turn) {
            true => (height, width),
            false => (width, height),
        }
    }

    fn get_pixel(&self, x: u32, y: u32) -> P {
        let (width, height) = self.pixels.dimensions();
        let (x, y) = match self.turn {
            Orientation::Rotate90 => (y, height - 1 - x),
            Orientation::Rotate270 => (width - 1 - y, x),
            Orientation::Rotate90FlipH => (y, x),
            Orientation::Rotate270FlipH => (width - 1 - y, height - 1 - x),
            _ => (x, y),
        };
        *self.pixels.get_pixel(x, y)
    }
}

/// Lays what is transparent on white: JPEG has no transparency.
fn flatten(image: &mut DynamicImage) {
    if !image.color().has_alpha() {
        return;
    }
    if !matches!(image, DynamicImage::ImageRgba8(_)) {
        *image = image.to_rgba8().into();
    }
    let pixels = image.as_mut_rgba8().into_iter();
    for pixel in pixels.flat_map(|pixels| pixels.pixels_mut()) {
        let [.., alpha] = pixel.0;
        for channel in &mut pixel.0[..3] {
            let mixed = u32::from(*channel) * u32::from(alpha) + 255 * u32::from(255 - alpha);
            *channel = u8::try_from(mixed / 255).unwrap_or(u8::MAX);
        }
        pixel.0[3] = u8::MAX;
    }
}

/// Whether the pixels of a WebP file are in a chunk `VP8L` (RFC 9649, section 2).
fn is_lossless_webp(mut input: &File) -> io::Result<bool> {
    input.seek(SeekFrom::Start(12))?;
    for _ in 0..MAX_CHUNKS {
        let mut head = [0; 8];
        if input.read_exact(&mut head).is_err() {
            break;
        }
        let [a, b, c, d, size @ ..] = head;
        match &[a, b, c, d] {
            b"VP8L" => return Ok(true),
            b"VP8 " => return Ok(false),
            // A frame of an animation: its chunks follow a head of sixteen bytes.
            b"ANMF" => input.seek(SeekFrom::Current(16))?,
            _ => {
                let size = i64::from(u32::from_le_bytes(size));
                input.seek(SeekFrom::Current(size + size % 2))?
            }
        };
    }
    Ok(false)
}

/// A file that takes no more than a limit.
struct Bounded<'a> {
    file: BufWriter<&'a File>,
    left: u64,
    is_exceeded: bool,
}

impl Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        match self.left.checked_sub(written as u64) {
            Some(left) => self.left = left,
            None => {
                self.is_exceeded = true;
                return Err(io::ErrorKind::QuotaExceeded.into());
            }
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
