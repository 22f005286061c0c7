//! The token of a bulk change, or of its rest.

/// A bulk change, or the rest of it after the requests up to a `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkPart {
    /// The number of the bulk change.
    pub bulk: i64,
    /// The last `seq` of the previous part.
    pub after: Option<i64>,
}

impl BulkPart {
    /// The format of the API: `123`, or `123.45` for the rest after `seq` 45.
    pub fn parse(text: &str) -> Option<Self> {
        let (bulk, after) = match text.split_once('.') {
            Some((bulk, after)) => (bulk, Some(after.parse().ok()?)),
            None => (text, None),
        };
        let bulk = bulk.parse().ok()?;
        Some(Self { bulk, after })
    }
}

impl std::fmt::Display for BulkPart {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.after {
            Some(after) => write!(formatter, "{}.{after}", self.bulk),
            None => write!(formatter, "{}", self.bulk),
        }
    }
}
