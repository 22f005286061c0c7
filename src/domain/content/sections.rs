//! The sections of the content.

use std::collections::BTreeMap;

use serde_json::Value;

/// Sections by key, as in `faqs`. What is published holds only those that differ from the defaults.
pub type Sections = BTreeMap<String, Value>;
