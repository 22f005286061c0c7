//! Pictures are decoded under limits and turned upright. They are written anew without metadata
//! (`writing`): invisible data in a picture does not survive. Blocks, and takes much memory and
//! time: it runs in a child process (`process`).

use std::io::{self, Cursor};

use image::error::LimitErrorKind;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use jpeg_encoder::EncodingError;

use domain::storage::content_type::ContentType;

/// Maximum number of pixels.
const MAX_PIXELS: u64 = 50_000_000;
/// Maximum memory of a picture that is decoded, in bytes: four bytes per pixel, and some for the
/// decoder.
pub(crate) const MAX_MEMORY: u64 = 208 * 1024 * 1024;
/// Maximum size of a color profile that is kept, in bytes.
const MAX_PROFILE: usize = 64 * 1024;

/// Why a picture cannot be rewritten; the text is half a sentence.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// Too many pixels, or too much memory.
    #[error("has too many pixels")]
    TooLarge,
    /// It has used up the memory or the time of its process, or broken it.
    #[error("has too many pixels")]
    Exceeded,
    /// It cannot be decoded.
    #[error("cannot be read as a picture")]
    Invalid,
    /// It cannot be used on the site.
    #[error("{0}")]
    Unfit(String),
    /// The file cannot be read or written.
    #[error("cannot be read as a picture")]
    Io(#[from] io::Error),
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

impl From<EncodingError> for PictureError {
    fn from(error: EncodingError) -> Self {
        match error {
            EncodingError::IoError(error) => Self::Io(error),
            _ => Self::Invalid,
        }
    }
}

pub(crate) struct Decoded {
    /// Its pixels.
    pub image: DynamicImage,
    /// The quarter turn that makes it upright: turning it takes its memory twice.
    pub turn: Orientation,
    /// Its color profile.
    pub profile: Option<Vec<u8>>,
}

impl Decoded {
    /// The picture upright.
    pub(crate) fn turned(mut self) -> Result<Self, PictureError> {
        let bytes = self.image.as_bytes().len() as u64;
        if is_quarter_turn(self.turn) && 2 * bytes > MAX_MEMORY {
            return Err(PictureError::TooLarge);
        }
        self.image.apply_orientation(self.turn);
        self.turn = Orientation::NoTransforms;
        Ok(self)
    }
}

pub(crate) const fn format(kind: ContentType) -> ImageFormat {
    match kind {
        ContentType::Png => ImageFormat::Png,
        ContentType::WebP => ImageFormat::WebP,
        _ => ImageFormat::Jpeg,
    }
}

/// Decodes a picture under limits. It is upright but for a quarter turn.
pub(crate) fn decode(bytes: &[u8], format: ImageFormat) -> Result<Decoded, PictureError> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS || decoder.total_bytes() > MAX_MEMORY {
        return Err(PictureError::TooLarge);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().unwrap_or_default();
    let mut image = DynamicImage::from_decoder(decoder)?;
    let turn = match is_quarter_turn(orientation) {
        true => orientation,
        false => {
            image.apply_orientation(orientation);
            Orientation::NoTransforms
        }
    };
    let profile = profile.filter(|profile| is_profile_of(profile, &image));
    Ok(Decoded {
        image,
        turn,
        profile,
    })
}

/// Whether width and height change places.
pub(crate) const fn is_quarter_turn(orientation: Orientation) -> bool {
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
