//! Pictures are decoded under limits, turned upright and written anew, without metadata: what
//! nobody can see in a picture does not survive. Blocks, and takes much memory and time.

use std::io::{self, BufRead, Seek};

use image::error::LimitErrorKind;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

/// Maximum number of pixels.
const MAX_PIXELS: u64 = 50_000_000;
/// Maximum memory of a decoded picture, in bytes: four bytes per pixel, and some for the decoder.
const MAX_MEMORY: u64 = 256 * 1024 * 1024;
/// Maximum memory of a decoded picture that has to be turned by a quarter, which takes it twice.
const MAX_TURNED_MEMORY: u64 = MAX_PIXELS * 3;
/// Maximum size of a color profile that is kept, in bytes.
const MAX_PROFILE: usize = 64 * 1024;

/// Why a picture cannot be rewritten.
#[derive(Debug)]
pub(super) enum PictureError {
    /// Too many pixels, or too much memory.
    TooLarge,
    /// It cannot be decoded.
    Invalid,
    /// The file cannot be read or written.
    Io(io::Error),
}

impl From<ImageError> for PictureError {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(limit)
                if !matches!(limit.kind(), LimitErrorKind::Unsupported { .. }) =>
            {
                Self::TooLarge
            }
            ImageError::IoError(error) if error.raw_os_error().is_some() => Self::Io(error),
            _ => Self::Invalid,
        }
    }
}

impl From<io::Error> for PictureError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A picture, upright.
pub(super) struct Decoded {
    /// Its pixels.
    pub image: DynamicImage,
    /// Its color profile.
    pub profile: Option<Vec<u8>>,
}

/// Decodes a picture under limits and turns it upright.
pub(super) fn decode(
    input: impl BufRead + Seek,
    format: ImageFormat,
) -> Result<Decoded, PictureError> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_MEMORY);
    let mut reader = ImageReader::with_format(input, format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS || decoder.total_bytes() > MAX_MEMORY {
        return Err(PictureError::TooLarge);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    if is_quarter_turn(orientation) && decoder.total_bytes() > MAX_TURNED_MEMORY {
        return Err(PictureError::TooLarge);
    }
    let profile = decoder.icc_profile().unwrap_or_default();
    let mut image = DynamicImage::from_decoder(decoder)?;
    image.apply_orientation(orientation);
    let profile = profile.filter(|profile| is_profile_of(profile, &image));
    Ok(Decoded { image, profile })
}

fn is_quarter_turn(orientation: Orientation) -> bool {
    matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    )
}

/// Whether `profile` is an ICC profile (ICC.1, section 7.2) of the picture's color space.
fn is_profile_of(profile: &[u8], image: &DynamicImage) -> bool {
    let length = profile.first_chunk().map(|size| u32::from_be_bytes(*size));
    let space: &[u8] = match image.color().has_color() {
        true => b"RGB ",
        false => b"GRAY",
    };
    length.map(|length| length as usize) == Some(profile.len())
        && profile.len() <= MAX_PROFILE
        && profile.get(16..20) == Some(space)
        && profile.get(36..40) == Some(b"acsp")
}
