//! Pictures that the office has uploaded: the section `pictures` names them by scene.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Fault, Sections};

/// The section of pictures in place of scenes.
const SCENES: &str = "pictures";
/// The section whose entries may have a portrait: its slot is their `image`.
const TESTIMONIALS: &str = "testimonials";
/// The section whose entries may have a logo.
const CLIENTS: &str = "clients";
/// Digits of a picture's name in the slot of a logo, as in `frontend/src/content/clients.ts`.
const LOGO_DIGITS: usize = 12;

/// A picture in the place of a scene, a portrait or a logo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture<'a> {
    /// The slot that the pages name.
    pub scene: String,
    /// The name under which its bytes are stored.
    pub name: &'a str,
    /// What it shows.
    pub alt: &'a str,
    /// The part that stays in view where the picture is cut, `top` or `bottom`; the middle if none.
    pub focus: Option<&'a str>,
    section: &'static str,
    /// Where the section names it, as a JSON pointer.
    path: String,
}

impl Picture<'_> {
    /// The fault of a picture whose bytes are missing.
    pub fn missing(&self) -> Fault {
        Fault::new(
            self.section,
            &self.path,
            "is not stored here; upload it again",
        )
    }
}

/// The pictures of the content, in its order.
pub fn pictures(all: &Sections) -> Vec<Picture<'_>> {
    let scenes = entries(all, SCENES).filter_map(|(nth, entry)| {
        Some(Picture {
            scene: text(entry, "scene")?.to_owned(),
            name: text(entry, "picture")?,
            alt: text(entry, "alt")?,
            focus: text(entry, "focus"),
            section: SCENES,
            path: format!("/{nth}/picture"),
        })
    });
    let portraits = entries(all, TESTIMONIALS).filter_map(|(nth, entry)| {
        let is_photo = text(entry, "portrait") == Some("photo");
        Some(Picture {
            scene: text(entry, "image")?.to_owned(),
            name: text(entry, "picture").filter(|_| is_photo)?,
            alt: "",
            focus: None,
            section: TESTIMONIALS,
            path: format!("/{nth}/picture"),
        })
    });
    let logos = entries(all, CLIENTS).filter_map(|(nth, entry)| {
        let name = text(entry, "logo")?;
        Some(Picture {
            scene: format!("logo-{}", name.get(..LOGO_DIGITS)?),
            name,
            alt: "",
            focus: None,
            section: CLIENTS,
            path: format!("/{nth}/logo"),
        })
    });
    scenes.chain(portraits).chain(logos).collect()
}

fn entries<'a>(all: &'a Sections, section: &str) -> impl Iterator<Item = (usize, &'a Value)> {
    let list = all.get(section).and_then(Value::as_array);
    list.into_iter().flatten().enumerate()
}

fn text<'a>(entry: &'a Value, key: &str) -> Option<&'a str> {
    entry.get(key).and_then(Value::as_str)
}

pub fn picture_name(bytes: &[u8]) -> String {
    format!("{}.jpg", hex::encode(&Sha256::digest(bytes)[..12]))
}
