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

#[cfg(test)]
mod tests {
    use super::{Profile, shown_name};

    #[test]
    fn a_profile_is_cleaned_and_empty_fields_are_none() {
        let parsed =
            Profile::parse(" Ann \u{202e}\tLee ", "Ann Lee\r\n<b>Dispatcher</b>\n").unwrap();
        assert_eq!(parsed.name.as_deref(), Some("Ann Lee"));
        assert_eq!(parsed.signature.as_deref(), Some("Ann Lee\nDispatcher"));
        assert_eq!(Profile::parse(" ", "\n"), Ok(Profile::default()));
    }

    #[test]
    fn a_profile_outside_its_limits_is_refused_with_the_field() {
        let lines = "a\n".repeat(9);
        for (name, signature, field) in [
            ("x".repeat(61), String::new(), "name"),
            ("boss@bank.example".to_owned(), String::new(), "name"),
            ("+1 555".to_owned(), String::new(), "name"),
            ("Ann".to_owned(), "x".repeat(501), "signature"),
            ("Ann".to_owned(), lines, "signature"),
        ] {
            assert_eq!(Profile::parse(&name, &signature).unwrap_err().field, field);
        }
        assert!(Profile::parse(&"é".repeat(60), &"x".repeat(500)).is_ok());
    }

    #[test]
    fn a_person_without_a_name_is_shown_by_the_address() {
        assert_eq!(shown_name(Some("Ann"), Some("ann@guard.example")), "Ann");
        assert_eq!(
            shown_name(None, Some("ann@guard.example")),
            "ann@guard.example"
        );
        assert_eq!(shown_name(None, None), "A colleague");
    }
}
