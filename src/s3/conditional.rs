//! Objects that are replaced only if they are still what they were.

use bytes::Bytes;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, UpdateVersion};

use super::Bucket;
use super::error::{Error, Result, failed};

impl Bucket {
    /// All bytes of a small object and its tag; `None` if there is none.
    pub fn get_with_tag(&self, name: &str) -> Result<Option<(Bytes, Option<String>)>> {
        let (store, path) = (self.store.clone(), self.path(name));
        let found = self.background.wait(async move {
            let found = store.get(&path).await?;
            let tag = found.meta.e_tag.clone();
            Ok((found.bytes().await?, tag))
        });
        match found {
            Ok(found) => Ok(Some(found)),
            Err(Error::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Stores `bytes` under `name` if the object there still has the tag `over`; if there is none,
    /// for `None`. Otherwise nothing happens: read it again. A service that supports no conditions
    /// stores it.
    pub fn put_over(
        &self,
        name: &str,
        bytes: impl Into<Bytes>,
        over: Option<Option<String>>,
    ) -> Result<()> {
        let (store, path, bytes) = (self.store.clone(), self.path(name), bytes.into());
        let mode = match over {
            None => PutMode::Create,
            Some(e_tag) => PutMode::Update(UpdateVersion {
                e_tag,
                version: None,
            }),
        };
        self.background.wait(async move {
            use object_store::Error::{AlreadyExists, NotFound, Precondition};
            let put = store.put_opts(&path, bytes.clone().into(), mode.into());
            match put.await {
                Ok(_) | Err(AlreadyExists { .. } | Precondition { .. } | NotFound { .. }) => Ok(()),
                Err(error) if is_unknown(&error) => {
                    store.put(&path, bytes.into()).await.map_err(failed)?;
                    Ok(())
                }
                Err(error) => Err(failed(error)),
            }
        })
    }
}

/// Whether the service does not know conditions.
fn is_unknown(error: &object_store::Error) -> bool {
    let text = error.to_string();
    matches!(error, object_store::Error::NotImplemented { .. })
        || text.contains("NotImplemented")
        || text.contains("501 Not Implemented")
}
