//! Pictures that the office has uploaded: the section `pictures` names them by scene.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Fault, Sections};

/// The key of the section.
const SECTION: &str = "pictures";
/// The section whose entries may have a picture: its slot is their `image`.
const TESTIMONIALS: &str = "testimonials";

/// A picture in the place of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture<'a> {
    pub scene: &'a str,
    /// The name under which its bytes are stored.
    pub name: &'a str,
    /// What it shows.
    pub alt: &'a str,
}

impl Picture<'_> {
    /// The fault of a picture whose bytes are missing; `nth` is its place in the section.
    pub fn missing(nth: usize) -> Fault {
        let rule = "is not stored here; upload it again";
        Fault::new(SECTION, &format!("/{nth}/picture"), rule)
    }
}

/// The pictures of the content, in its order.
pub fn pictures(all: &Sections) -> Vec<Picture<'_>> {
    let entries = all.get(SECTION).and_then(Value::as_array);
    let picture = |entry| {
        let text = |key: &str| Value::get(entry, key).and_then(Value::as_str);
        Some(Picture {
            scene: text("scene")?,
            name: text("picture")?,
            alt: text("alt")?,
        })
    };
    let portraits = all.get(TESTIMONIALS).and_then(Value::as_array);
    let portrait = |entry| {
        let text = |key: &str| Value::get(entry, key).and_then(Value::as_str);
        Some(Picture {
            scene: text("image")?,
            name: text("picture").filter(|_| text("portrait") == Some("photo"))?,
            alt: "",
        })
    };
    let scenes = entries.into_iter().flatten().filter_map(picture);
    scenes
        .chain(portraits.into_iter().flatten().filter_map(portrait))
        .collect()
}

pub fn picture_name(bytes: &[u8]) -> String {
    format!("{}.jpg", hex::encode(&Sha256::digest(bytes)[..12]))
}
