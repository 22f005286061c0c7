//! The operator's photos: a picture in the media folder that is named like a scene stands in its place, without a rebuild. Read once, at start.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest, Sha256};

/// What a photo may be, the best first: where a scene has several, the first is shown.
const KINDS: [&str; 5] = ["avif", "webp", "jpg", "jpeg", "png"];
/// Bytes above which a photo slows every page that shows it.
const HEAVY: usize = 500_000;

/// A photo that takes a scene's place.
#[derive(Debug)]
pub struct Photo {
    /// Where it is served. The name changes with the content, so that it can be kept for ever.
    pub path: String,
    /// The picture.
    pub bytes: Vec<u8>,
}

/// The photos in `folder` by the scene they stand for; none where there is no folder.
pub fn in_folder(folder: &Path) -> BTreeMap<String, Photo> {
    let mut photos = BTreeMap::new();
    let Ok(entries) = folder.read_dir() else {
        return photos;
    };
    let mut names: Vec<_> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort_by_key(|name| {
        KINDS
            .iter()
            .position(|kind| name.ends_with(&format!(".{kind}")))
    });
    for name in names {
        let Some((scene, kind)) = name
            .rsplit_once('.')
            .filter(|(scene, kind)| is_slug(scene) && KINDS.contains(kind))
        else {
            tracing::warn!(
                name,
                "a file in the media folder is not named like a scene, as in fire-watch.jpg"
            );
            continue;
        };
        if photos.contains_key(scene) {
            continue;
        }
        match std::fs::read(folder.join(&name)) {
            Ok(bytes) => {
                if bytes.len() > HEAVY {
                    tracing::warn!(
                        name,
                        bytes = bytes.len(),
                        "a photo is heavy; 640 by 400 pixels are shown"
                    );
                }
                let hash = hex::encode(&Sha256::digest(&bytes)[..6]);
                let path = format!("/media/{scene}-{hash}.{kind}");
                photos.insert(scene.to_owned(), Photo { path, bytes });
            }
            Err(error) => tracing::warn!(name, %error, "a photo cannot be read"),
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
