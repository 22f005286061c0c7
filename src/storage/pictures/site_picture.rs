//! Pictures of the public site: cropped to the shape of the scenes that they replace, resized, and
//! rewritten without metadata.

use std::borrow::Cow;

use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageFormat};

use crate::pictures::decoding::{Decoded, PictureError};
use crate::pictures::{decoding, writing};

/// The largest width: twice the width at which most pages show a scene.
const MAX_WIDTH: u32 = 1280;
/// The smallest accepted picture.
const MIN_SIZE: (u32, u32) = (640, 400);
/// Scenes are 8 by 5.
const SHAPE: (u32, u32) = (8, 5);
/// Photographs of this size have 100 to 250 KB.
const QUALITY: u8 = 80;

/// Why a picture is refused, as half a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unfit(pub Cow<'static, str>);

impl Unfit {
    /// It has too many pixels, or takes too much memory.
    pub(crate) const TOO_LARGE: Self = Self::of("has too many pixels");
    /// It is not a picture of its declared type.
    pub(crate) const INVALID: Self = Self::of("cannot be read as a picture");

    const fn of(reason: &'static str) -> Self {
        Self(Cow::Borrowed(reason))
    }
}

/// A JPEG of the picture in `bytes`. Takes time and memory: call it on a blocking thread, one at a
/// time. Fails if it is no JPEG, PNG or WebP picture, or too large or too small.
pub fn make(bytes: &[u8]) -> Result<Vec<u8>, Unfit> {
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP)) => format,
        _ => return Err(Unfit::of("must be a JPEG, PNG or WebP picture")),
    };
    let decoded = decoding::decode(bytes, format).and_then(Decoded::turned);
    let Decoded { image, profile, .. } = decoded.map_err(|error| match error {
        PictureError::TooLarge | PictureError::Exceeded => Unfit::TOO_LARGE,
        PictureError::Invalid | PictureError::Io(_) => Unfit::INVALID,
        PictureError::Unfit(reason) => Unfit(reason),
    })?;
    if image.width() < MIN_SIZE.0 || image.height() < MIN_SIZE.1 {
        return Err(Unfit::of("must have at least 640 by 400 pixels"));
    }
    // A profile of gray pixels does not fit the written colors.
    let profile = profile.filter(|_| image.color().has_color());
    let pixels = DynamicImage::from(fitted(&image).into_rgb8());
    let (mut written, upright) = (Vec::new(), Orientation::NoTransforms);
    writing::write_jpeg(&mut written, QUALITY, &pixels, upright, profile.as_deref())
        .map_err(|_| Unfit::of("cannot be written as a JPEG picture"))?;
    Ok(written)
}

/// The middle of the picture in the shape of a scene, no larger than needed.
fn fitted(image: &DynamicImage) -> DynamicImage {
    let widest = image.height() * SHAPE.0 / SHAPE.1;
    let width = image.width().min(widest).min(MAX_WIDTH) / SHAPE.0 * SHAPE.0;
    image.resize_to_fill(width, width / SHAPE.0 * SHAPE.1, FilterType::Triangle)
}
