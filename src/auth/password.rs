//! How strong a password is. Judging may cost as much as hashing, so it is a job of the `Hasher` like
//! hashing itself: nothing here judges on the thread that serves the request.

use super::Auth;
use super::error::{AuthError, Kind, Result, reject};
use super::hashing::Reserved;
use crate::config;

/// Longer ones are refused: they would only feed the hash and the strength check (OWASP ASVS 2.1.2).
pub const MAX_CHARACTERS: usize = 128;
/// The most characters that zxcvbn judges at once: it tries every spelling of look-alike characters.
/// At worst 20 take as long as a hash with the default settings; 32 take twice, 100 twenty times that.
const JUDGED_AT_ONCE: usize = 20;

/// What a sign-in finds out about its password.
#[derive(Default)]
pub(super) struct Checked {
    /// Whether it is the account's.
    pub(super) right: bool,
    /// Its hash with today's parameters, where the stored one has others.
    pub(super) fresh: Option<String>,
    /// Why it would be refused today.
    pub(super) weaknesses: Vec<&'static str>,
}

impl Auth {
    /// Refuses a weak or oversized password; `email` is the account's.
    ///
    /// # Errors
    /// `weak_password` with the reasons; `validation_failed` when it is too long;
    /// `over_request_rate_limit` when too many wait.
    pub(super) async fn require_strength(&self, password: &str, email: Option<&str>) -> Result<()> {
        if password.chars().count() > MAX_CHARACTERS {
            return reject(AuthError::validation(format!(
                "Password cannot be longer than {MAX_CHARACTERS} characters"
            )));
        }
        let (settings, password) = (self.config.clone(), password.to_owned());
        let email = email.map(ToOwned::to_owned);
        let judge = move |_: &mut _| weaknesses(&password, &settings, &own_words(email.as_deref()));
        let reasons = self.hasher.run(judge).await?;
        if reasons.is_empty() {
            return Ok(());
        }
        reject(AuthError {
            message: describe(&reasons, &self.config).into(),
            reasons,
            ..AuthError::new(Kind::Unprocessable, "weak_password", "")
        })
    }

    /// Checks a password against an account's hash; without a hash the same work is done for nothing.
    /// A right one is judged in the same job, so that no full queue comes between.
    ///
    /// # Errors
    /// When argon2 cannot work.
    pub(super) async fn check_password(
        &self,
        place: Reserved,
        password: &str,
        hash: Option<&str>,
        email: Option<&str>,
    ) -> Result<Checked> {
        let (settings, known) = (self.config.clone(), hash.is_some());
        let (password, hash) = (password.to_owned(), self.hasher.or_dummy(hash));
        let email = email.map(ToOwned::to_owned);
        let job = self.hasher.run_reserved(place, move |worker| {
            if !(worker.verify(&password, &hash) && known) {
                return Ok(Checked::default());
            }
            let outdated = worker.is_outdated(&hash);
            Ok(Checked {
                right: true,
                fresh: outdated.then(|| worker.hash(&password)).transpose()?,
                weaknesses: weaknesses(&password, &settings, &own_words(email.as_deref())),
            })
        });
        job.await?
    }
}

/// Words that others know of a user and that make a bad password: the address and its first half.
fn own_words(email: Option<&str>) -> Vec<&str> {
    email
        .into_iter()
        .flat_map(|email| [email, email.split('@').next().unwrap_or(email)])
        .collect()
}

/// Why a password is weak: `length`, `characters`, `pwned` (contract section 6). `own` are words that
/// others know of the user. Empty: it is good.
fn weaknesses(password: &str, settings: &config::Auth, own: &[&str]) -> Vec<&'static str> {
    let mut reasons = Vec::new();
    if password.chars().count() < settings.password_min_length as usize {
        reasons.push("length");
    }
    let lacks = |class: &String| !password.chars().any(|c| is_of(c, class));
    if settings.password_characters.iter().any(lacks) {
        reasons.push("characters");
    }
    if is_guessable(password, own) {
        reasons.push("pwned");
    }
    reasons
}

/// Whether a million guesses find the password: zxcvbn brings lists of leaked passwords, names and
/// words with it. A long one is judged in pieces: it is at least as strong as its strongest piece.
/// Of one that repeats itself the repeated text counts: cut elsewhere, its pieces would hide it.
fn is_guessable(password: &str, own: &[&str]) -> bool {
    // A word longer than a piece has to be recognized in pieces, too.
    let own: Vec<&str> = own.iter().flat_map(|word| pieces(word)).collect();
    pieces(repeated(password)).all(|piece| zxcvbn::zxcvbn(piece, &own).score() < zxcvbn::Score::Two)
}

/// The shortest beginning whose repetition, at least twice, gives the whole text.
fn repeated(text: &str) -> &str {
    let ends = text.char_indices().skip(1).map(|(end, _)| end);
    let mut ends = ends.take_while(|end| 2 * end <= text.len());
    let end = ends.find(|end| text.starts_with(&text[*end..]));
    &text[..end.unwrap_or(text.len())]
}

/// The text in pieces of at most `JUDGED_AT_ONCE` characters.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(JUDGED_AT_ONCE);
        let (piece, after) = rest.split_at(end.map_or(rest.len(), |(end, _)| end));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Whether a character is of a class of the settings.
fn is_of(c: char, class: &str) -> bool {
    match class {
        "lower" => c.is_lowercase(),
        "upper" => c.is_uppercase(),
        "digit" => c.is_ascii_digit(),
        _ => !c.is_alphanumeric(),
    }
}

/// The reasons as sentences.
pub fn describe(reasons: &[&str], settings: &config::Auth) -> String {
    let sentence = |reason: &&str| match *reason {
        "length" => format!(
            "Password should be at least {} characters.",
            settings.password_min_length
        ),
        "characters" => format!(
            "Password should contain at least one character of each: {}.",
            settings.password_characters.join(", ")
        ),
        _ => "Password is known to be weak and easy to guess, please choose a different one."
            .to_owned(),
    };
    reasons.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{JUDGED_AT_ONCE, MAX_CHARACTERS, pieces, repeated, weaknesses};
    use crate::config::Auth;

    #[test]
    fn a_weak_password_says_why() {
        let settings = Auth {
            password_characters: vec!["digit".into()],
            ..Auth::default()
        };
        for (password, reasons) in [
            ("correct horse battery staple 7", &[][..]),
            ("kT9#vRq2", &["length"][..]),
            ("correct horse battery staple", &["characters"][..]),
            ("password1234", &["pwned"][..]),
            ("password", &["length", "characters", "pwned"][..]),
        ] {
            assert_eq!(weaknesses(password, &settings, &[]), reasons, "{password}");
        }
        assert_eq!(
            weaknesses(
                "lovelace-ada-desk",
                &Auth::default(),
                &["lovelace-ada-desk"]
            ),
            ["pwned"]
        );
    }

    #[test]
    fn a_long_password_is_as_strong_as_its_strongest_piece() {
        let strong = "kT9#vRq2 lantern gate";
        for (password, is_weak) in [
            (format!("{}{strong}", "a".repeat(60)), false),
            (format!("{strong}{}", "a".repeat(60)), false),
            ("correct horse battery staple lantern".repeat(3), false),
            ("a".repeat(MAX_CHARACTERS), true),
            ("password".repeat(6), true),
            ("administrator".repeat(3), true),
            ("mississippi".repeat(2) + "miss", true),
            ("abcdefgh".repeat(9), true),
        ] {
            let reasons = weaknesses(&password, &Auth::default(), &[]);
            assert_eq!(reasons.contains(&"pwned"), is_weak, "{password}");
        }
        let address = "a.rather.long.name.of.somebody@some.company.example";
        let reasons = weaknesses(address, &Auth::default(), &[address]);
        assert_eq!(reasons, ["pwned"], "an address longer than a piece");
        for (text, again) in [("abcabca", "abc"), ("abca", "abca"), ("ééé", "é"), ("", "")] {
            assert_eq!(repeated(text), again);
        }
    }

    #[test]
    fn no_more_than_a_piece_is_judged_at_once() {
        for text in [
            "é€😀x".repeat(32),
            "l33t".repeat(32),
            "short".into(),
            String::new(),
        ] {
            let all: Vec<&str> = pieces(&text).collect();
            assert_eq!(all.concat(), text);
            assert!(
                all.iter()
                    .all(|piece| piece.chars().count() <= JUDGED_AT_ONCE)
            );
            assert_eq!(all.len(), text.chars().count().div_ceil(JUDGED_AT_ONCE));
        }
    }
}
