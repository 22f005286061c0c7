//! Writes decoded pictures. A lossless format stays lossless while the file grows little; anything
//! else becomes JPEG, of lower quality if need be: a stored picture takes at most three times the
//! space of the sent one, and half a megabyte.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageEncoder, ImageResult};
use jpeg_encoder::{Encoder, ImageBuffer, JpegColorType, SamplingFactor, rgb_to_ycbcr};

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
            write_jpeg(output, quality, &image, turn, profile)
        })?;
        if written {
            return Ok(ContentType::Jpeg);
        }
    }
    Err(PictureError::TooLarge)
}

/// Has `write` fill `output`; returns whether `limit` was enough.
fn bounded<E: Into<PictureError>>(
    output: &File,
    limit: u64,
    write: impl FnOnce(&mut Bounded<'_>) -> Result<(), E>,
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
    result.map_err(Into::into)?;
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

/// Writes a picture as JPEG, turned.
pub(crate) fn write_jpeg(
    output: impl Write,
    quality: u8,
    image: &DynamicImage,
    turn: Orientation,
    profile: Option<&[u8]>,
) -> Result<(), PictureError> {
    let mut encoder = Encoder::new(output, quality);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    if let Some(profile) = profile {
        // One that does not fit is left out.
        let _ = encoder.add_icc_profile(profile);
    }
    let converted;
    // Without a copy: the pixels take up to 200 MB.
    let pixels = match image {
        DynamicImage::ImageLuma8(_) | DynamicImage::ImageRgb8(_) | DynamicImage::ImageRgba8(_) => {
            image
        }
        other => {
            converted = match other.color().has_color() {
                true => DynamicImage::from(other.to_rgb8()),
                false => DynamicImage::from(other.to_luma8()),
            };
            &converted
        }
    };
    let size = |side| u16::try_from(side).map_err(|_| PictureError::TooLarge);
    Ok(encoder.encode_image(Turned {
        pixels: pixels.as_bytes(),
        channels: pixels.color().channel_count().into(),
        size: (size(pixels.width())?, size(pixels.height())?),
        turn,
    })?)
}

/// Pixels of one, three or four bytes as they are after a quarter turn, without a copy.
struct Turned<'a> {
    pixels: &'a [u8],
    channels: usize,
    /// Width and height before the turn.
    size: (u16, u16),
    turn: Orientation,
}

impl ImageBuffer for Turned<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        match self.channels {
            1 => JpegColorType::Luma,
            _ => JpegColorType::Ycbcr,
        }
    }

    fn width(&self) -> u16 {
        match is_quarter_turn(self.turn) {
            true => self.size.1,
            false => self.size.0,
        }
    }

    fn height(&self) -> u16 {
        match is_quarter_turn(self.turn) {
            true => self.size.0,
            false => self.size.1,
        }
    }

    fn fill_buffers(&self, y: u16, [luma, blue, red, _]: &mut [Vec<u8>; 4]) {
        let (width, height) = (usize::from(self.size.0), usize::from(self.size.1));
        let (y, row) = (usize::from(y), usize::from(self.width()));
        // The first pixel of the row, and whether the others follow below, above or beside it.
        let (first, step) = match self.turn {
            Orientation::Rotate90 => ((height - 1) * width + y, -(width as isize)),
            Orientation::Rotate270 => (width - 1 - y, width as isize),
            Orientation::Rotate90FlipH => (y, width as isize),
            Orientation::Rotate270FlipH => (height * width - 1 - y, -(width as isize)),
            _ => (y * width, 1),
        };
        for x in 0..row as isize {
            let at = first.wrapping_add_signed(x * step) * self.channels;
            match self.pixels[at..at + self.channels] {
                [gray] => luma.push(gray),
                [r, g, b, ..] => {
                    let (y, cb, cr) = rgb_to_ycbcr(r, g, b);
                    luma.push(y);
                    blue.push(cb);
                    red.push(cr);
                }
                _ => {}
            }
        }
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
