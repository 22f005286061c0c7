//! How an admin is named to colleagues and customers, and the end of their replies.

use crate::text::clean;

/// Maximum code points of a display name.
pub const MAX_NAME: usize = 60;
/// Maximum code points of a signature.
pub const MAX_SIGNATURE: usize = 500;
/// Maximum lines of a signature.
pub const MAX_LINES: usize = 8;

/// A profile; the default one is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The display name, on one line; `None` to be shown by the address.
    pub name: Option<String>,
    /// The end of replies; `None` for none.
    pub signature: Option<String>,
}

/// Why a profile is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileFault {
    pub field: &'static str,
    pub message: String,
}

impl Profile {
    /// Cleans and checks a profile.
    pub fn parse(name: &str, signature: &str) -> Result<Self, ProfileFault> {
        let fault = |field, message| Err(ProfileFault { field, message });
        let name = clean(name, false);
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.chars().count() > MAX_NAME {
            let detail = format!("A name has at most {MAX_NAME} characters.");
            return fault("name", detail);
        }
        if name.contains('@') {
            return fault("name", "Write a name here, not an address.".to_owned());
        }
        let is_nameless = !name.chars().any(char::is_alphabetic);
        if is_nameless && !name.is_empty() {
            return fault("name", "A name has at least one letter.".to_owned());
        }
        let signature = clean(signature, true);
        let length = signature.chars().count();
        if length > MAX_SIGNATURE || signature.lines().count() > MAX_LINES {
            let detail = format!(
                "A signature has at most {MAX_SIGNATURE} characters in {MAX_LINES} lines; this one \
                 has {length} in {}.",
                signature.lines().count()
            );
            return fault("signature", detail);
        }
        let filled = |text: String| Some(text).filter(|text| !text.is_empty());
        Ok(Self {
            name: filled(name),
            signature: filled(signature),
        })
    }
}

/// The name of a person as sentences to colleagues have it.
pub fn shown_name<'a>(name: Option<&'a str>, email: Option<&'a str>) -> &'a str {
    name.or(email).unwrap_or("A colleague")
}
