//! Whether a text names the office.

use super::Reader;

impl Reader {
    /// Whether a text has one of our addresses, with or without a signature.
    pub(super) fn has_own_address(&self, text: &str) -> bool {
        let text = text.to_ascii_lowercase();
        let is_named = |address: &String| {
            let before = |at: usize| text[..at].chars().next_back();
            let is_part = |c: char| c.is_alphanumeric() || "._+-".contains(c);
            let found = text.match_indices(address.as_str());
            found
                .into_iter()
                .any(|(at, _)| !before(at).is_some_and(is_part))
        };
        self.own_addresses.iter().any(is_named) || self.addresses.find(&text).is_some()
    }

    /// Whether a text names the office, by an address or a name.
    pub(super) fn names_us(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let is_named = |name: &String| !name.is_empty() && lower.contains(&name.to_lowercase());
        self.has_own_address(text) || self.own_names.iter().any(is_named)
    }
}
