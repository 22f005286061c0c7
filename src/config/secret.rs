//! A string that is never printed.

use std::fmt;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize, Serializer};

/// A secret setting: redacted in logs, debug output and the serialized configuration.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The secret in the file that a setting names.
    pub(super) fn of_file(setting: &str, file: &str) -> Result<Self> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("setting `{setting}`: cannot read {file}"))?;
        Ok(Self::new(text.trim_end_matches(['\r', '\n'])))
    }

    /// This secret, or that in the file that a setting names.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn or_of_file(&self, setting: &str, file: &str) -> Result<Self> {
        match file {
            "" => Ok(self.clone()),
            file => Self::of_file(setting, file),
        }
    }

    /// The plain value.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether it is unset.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "none" } else { "***" })
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("")
    }
}
