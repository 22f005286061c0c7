//! Pictures uploaded by the office, as photos of the content.

use std::collections::BTreeMap;

use super::Publisher;
use crate::photos::{Photo, Photos};
use domain::content::{Fault, Sections, pictures};

impl Publisher {
    /// Stores a picture, so that content can name it.
    pub async fn store_picture(&self, bytes: Vec<u8>) -> Result<String, store::Error> {
        self.store.store_content_picture(bytes, self.now()).await
    }

    /// The bytes of stored pictures by their names.
    pub async fn stored_pictures(
        &self,
        names: Vec<String>,
    ) -> Result<BTreeMap<String, Vec<u8>>, store::Error> {
        self.store.content_pictures(names).await
    }

    /// The pictures named by the content, and a fault for each that is not stored.
    pub(super) async fn photos(
        &self,
        all: &Sections,
    ) -> Result<(Photos, Vec<Fault>), store::Error> {
        let named = pictures(all);
        let names = named.iter().map(|picture| picture.name.to_owned());
        let stored = self.stored_pictures(names.collect()).await?;
        let (mut photos, mut missing) = (Photos::new(), Vec::new());
        for picture in named {
            match stored.get(picture.name) {
                Some(bytes) => {
                    let bytes = bytes.clone();
                    photos.insert(picture.scene.clone(), Photo::uploaded(&picture, bytes));
                }
                None => missing.push(picture.missing()),
            }
        }
        Ok((photos, missing))
    }
}
