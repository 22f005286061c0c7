//! The address of a link, where its words do not say it.

/// Maximum code points of an address that is shown, and of the words that are compared with it.
const MAX_ADDRESS: usize = 1_000;
/// Addresses that a person can use.
const SCHEMES: [&str; 6] = ["http://", "https://", "mailto:", "tel:", "sms:", "ftp://"];

/// An open link.
#[derive(Debug)]
pub(super) struct Link {
    address: String,
    words: String,
}

impl Link {
    /// A link to `address`; `None` if it is unusable.
    pub(super) fn to(address: String) -> Option<Self> {
        let lower = address.to_ascii_lowercase();
        let is_usable = SCHEMES.iter().any(|scheme| lower.starts_with(scheme));
        let is_short = address.chars().count() <= MAX_ADDRESS;
        (is_usable && is_short).then_some(Self {
            address,
            words: String::new(),
        })
    }

    /// Adds words of the link.
    pub(super) fn add(&mut self, words: &str) {
        if self.words.len() < MAX_ADDRESS {
            self.words.push_str(words);
        }
    }

    /// The address, unless the words have it.
    pub(super) fn address_to_show(self) -> Option<String> {
        let lower = self.address.to_ascii_lowercase();
        let words = self.words.to_ascii_lowercase();
        let (scheme, rest) = self.address.split_once(':')?;
        let is_said = match scheme.to_ascii_lowercase().as_str() {
            "tel" | "sms" => {
                let (number, said) = (digits(rest), digits(&words));
                // With or without the country.
                !said.is_empty() && (number.ends_with(&said) || said.ends_with(&number))
            }
            "mailto" => words.contains(&before(&lower[7..], '?')),
            _ => {
                let plain = lower.split_once("://").map_or("", |(_, rest)| rest);
                let plain = plain.trim_start_matches("www.").trim_end_matches('/');
                !plain.is_empty() && words.contains(plain)
            }
        };
        match scheme.to_ascii_lowercase().as_str() {
            _ if is_said => None,
            "mailto" | "tel" | "sms" => Some(before(rest, '?')).filter(|it| !it.is_empty()),
            _ => Some(self.address),
        }
    }
}

fn before(text: &str, end: char) -> String {
    text.split(end).next().unwrap_or_default().to_owned()
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}
