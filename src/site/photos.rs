//! Photos that replace illustrations ("scenes") without a rebuild: images in the media folder with
//! the name of a scene, read once at the start, and pictures uploaded by the office.

use std::collections::BTreeMap;
use std::path::Path;

use bytes::Bytes;
use sha2::{Digest, Sha256};

use domain::content::Picture;

/// Image formats in order of preference: if a scene has several files, the first is used.
const FORMATS: [&str; 5] = ["avif", "webp", "jpg", "jpeg", "png"];
/// Size in bytes above which a warning is logged: the photo slows every page that shows it.
const LARGE: usize = 500_000;

/// A photo that replaces a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Photo {
    /// Its URL path. It contains a hash of the content, so that it can be cached forever.
    pub path: String,
    /// Its description; empty for decoration.
    pub alt: String,
    /// The part that stays in view where it is cut, `top` or `bottom`; empty for the middle.
    pub focus: String,
    /// The image file.
    pub bytes: Bytes,
}

/// Photos by scene.
pub type Photos = BTreeMap<String, Photo>;

impl Photo {
    /// The picture `name` of the content with these bytes.
    pub fn uploaded(picture: &Picture<'_>, bytes: Vec<u8>) -> Self {
        Self {
            path: format!("/media/{}-{}", picture.scene, picture.name),
            alt: picture.alt.to_owned(),
            focus: picture.focus.unwrap_or_default().to_owned(),
            bytes: bytes.into(),
        }
    }

    /// Its address in pages. The fragment, by which the stylesheet places the picture, is the part
    /// that stays in view.
    pub fn address(&self) -> String {
        match self.focus.as_str() {
            "" => self.path.clone(),
            focus => format!("{}#{focus}", self.path),
        }
    }
}

/// The photos in `folder` by scene; empty if the folder does not exist.
pub fn load_photos(folder: &Path) -> Photos {
    let mut photos = Photos::new();
    let Ok(entries) = folder.read_dir() else {
        return photos;
    };
    let mut names: Vec<_> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort_by_key(|name| {
        FORMATS
            .iter()
            .position(|format| name.ends_with(&format!(".{format}")))
    });
    for name in names {
        let Some((scene, format)) = name
            .rsplit_once('.')
            .filter(|(scene, format)| is_slug(scene) && FORMATS.contains(format))
        else {
            tracing::warn!(
                name,
                "media file ignored: its name is not that of a scene, as in fire-watch.jpg"
            );
            continue;
        };
        if photos.contains_key(scene) {
            continue;
        }
        match std::fs::read(folder.join(&name)) {
            Ok(bytes) => {
                if bytes.len() > LARGE {
                    tracing::warn!(
                        name,
                        bytes = bytes.len(),
                        "large photo; it is displayed at 640 by 400 pixels"
                    );
                }
                let hash = hex::encode(&Sha256::digest(&bytes)[..6]);
                let path = format!("/media/{scene}-{hash}.{format}");
                let photo = Photo {
                    path,
                    alt: String::new(),
                    focus: String::new(),
                    bytes: bytes.into(),
                };
                photos.insert(scene.to_owned(), photo);
            }
            Err(error) => tracing::warn!(name, %error, "photo unreadable"),
        }
    }
    photos
}

fn is_slug(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
