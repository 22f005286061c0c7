//! Brings the full-text index up to date before a search.

use rusqlite::Connection;

use super::index::{index_pending, is_pending};
use crate::{Result, Store};

impl Store {
    /// Indexes every request stored so far. After an error, requests indexed before it stay
    /// indexed.
    pub(crate) async fn ensure_indexed(&self) -> Result<()> {
        let slice = |conn: &Connection| {
            index_pending(conn)?;
            Ok(is_pending(conn)?)
        };
        while self.write(slice).await? {}
        Ok(())
    }
}
