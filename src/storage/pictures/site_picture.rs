//! Pictures of the public site: cropped to the shape of the scenes that they replace, resized, and
//! rewritten without metadata.

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

/// A JPEG of the picture in `bytes`. Takes time and memory: call it on a blocking thread, one at a
/// time. Fails if it is no JPEG, PNG or WebP picture, or too large or too small.
pub fn make(bytes: &[u8]) -> Result<Vec<u8>, PictureError> {
    let format = match image::guess_format(bytes) {
        Ok(format @ (ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP)) => format,
        _ => return Err(unfit("must be a JPEG, PNG or WebP picture")),
    };
    let Decoded { image, profile, .. } = decoding::decode(bytes, format)?.turned()?;
    if image.width() < MIN_SIZE.0 || image.height() < MIN_SIZE.1 {
        return Err(unfit("must have at least 640 by 400 pixels"));
    }
    // A profile of gray pixels does not fit the written colors.
    let profile = profile.filter(|_| image.color().has_color());
    let pixels = DynamicImage::from(fitted(&image).into_rgb8());
    let (mut written, upright) = (Vec::new(), Orientation::NoTransforms);
    writing::write_jpeg(&mut written, QUALITY, &pixels, upright, profile.as_deref())
        .map_err(|_| unfit("cannot be written as a JPEG picture"))?;
    Ok(written)
}

/// The middle of the picture in the shape of a scene, no larger than needed.
fn fitted(image: &DynamicImage) -> DynamicImage {
    let widest = image.height() * SHAPE.0 / SHAPE.1;
    let width = image.width().min(widest).min(MAX_WIDTH) / SHAPE.0 * SHAPE.0;
    image.resize_to_fill(width, width / SHAPE.0 * SHAPE.1, FilterType::Triangle)
}

fn unfit(reason: &str) -> PictureError {
    PictureError::Unfit(reason.to_owned())
}
