//! Password strength. The check may cost as much as hashing, so it runs as a job of the `Hasher`,
//! never on the thread that serves the request.

use crate::Auth;
use crate::error::{AuthError, Kind, Result, reject};
use crate::keys::hashing::QueuePermit;

/// Longer passwords are rejected: they only add cost to hashing and to the strength check (OWASP
/// ASVS 2.1.2).
pub const MAX_CHARACTERS: usize = 128;
/// Maximum number of characters that zxcvbn checks at once: it tries every spelling of look-alike
/// characters. In the worst case 20 take as long as a hash with the default settings; 32 take
/// twice, 100 twenty times that.
const MAX_CHUNK_CHARACTERS: usize = 20;

/// Result of checking a password at sign-in.
#[derive(Default)]
pub(crate) struct PasswordCheck {
    /// Whether the password matches the account's hash.
    pub(crate) is_correct: bool,
    /// Its hash with the configured parameters, if the stored one has others.
    pub(crate) rehash: Option<String>,
    /// Why it would be rejected as a new password.
    pub(crate) weaknesses: Vec<&'static str>,
}

impl Auth {
    /// Rejects a weak or oversized password; `email` is the account's address. Errors:
    /// `weak_password` with the reasons; `validation_failed` when it is too long;
    /// `over_request_rate_limit` when the queue is full.
    pub(crate) async fn require_strength(&self, password: &str, email: Option<&str>) -> Result<()> {
        if password.chars().count() > MAX_CHARACTERS {
            return reject(AuthError::validation(format!(
                "Password cannot be longer than {MAX_CHARACTERS} characters"
            )));
        }
        let (settings, password) = (self.config.clone(), password.to_owned());
        let email = email.map(ToOwned::to_owned);
        let check =
            move |_: &mut _| weaknesses(&password, &settings, &user_inputs(email.as_deref()));
        let reasons = self.hasher.run(check).await?;
        if reasons.is_empty() {
            return Ok(());
        }
        reject(AuthError {
            message: describe(&reasons, &self.config).into(),
            reasons,
            ..AuthError::new(Kind::Unprocessable, "weak_password", "")
        })
    }

    /// Checks a password against an account's hash; without a hash the same work is done. The
    /// strength of a correct password is checked in the same job, which needs no second queue
    /// permit.
    pub(crate) async fn check_password(
        &self,
        queue_permit: QueuePermit,
        password: &str,
        hash: Option<&str>,
        email: Option<&str>,
    ) -> Result<PasswordCheck> {
        let (settings, known) = (self.config.clone(), hash.is_some());
        let (password, hash) = (password.to_owned(), self.hasher.hash_or_dummy(hash));
        let email = email.map(ToOwned::to_owned);
        let job = self.hasher.run_with_permit(queue_permit, move |worker| {
            if !(worker.verify(&password, &hash) && known) {
                return Ok(PasswordCheck::default());
            }
            let outdated = worker.is_outdated(&hash);
            Ok(PasswordCheck {
                is_correct: true,
                rehash: outdated.then(|| worker.hash(&password)).transpose()?,
                weaknesses: weaknesses(&password, &settings, &user_inputs(email.as_deref())),
            })
        });
        job.await?
    }
}

/// Strings known about the user that make a bad password: the address and its local part.
fn user_inputs(email: Option<&str>) -> Vec<&str> {
    email
        .into_iter()
        .flat_map(|email| [email, email.split('@').next().unwrap_or(email)])
        .collect()
}

/// The weaknesses of a password: `length`, `pwned` (auth API, section 6; no class of `characters`
/// is required). `own` are strings known about the user. Empty if it is strong enough.
fn weaknesses(password: &str, settings: &config::Auth, own: &[&str]) -> Vec<&'static str> {
    let mut reasons = Vec::new();
    if password.chars().count() < settings.password_min_length as usize {
        reasons.push("length");
    }
    if is_guessable(password, own) {
        reasons.push("pwned");
    }
    reasons
}

/// Whether a million guesses find the password. zxcvbn contains lists of leaked passwords, names
/// and words. A long password is checked in chunks: it is at least as strong as its strongest
/// chunk. Of a repeated text only the unit is checked: chunks cut at other offsets would hide the
/// repetition.
fn is_guessable(password: &str, own: &[&str]) -> bool {
    // A string longer than a chunk must be recognized in chunks, too.
    let own: Vec<&str> = own.iter().flat_map(|word| chunks(word)).collect();
    chunks(repeating_unit(password))
        .all(|piece| zxcvbn::zxcvbn(piece, &own).score() < zxcvbn::Score::Two)
}

/// The shortest prefix whose repetition (at least twice) produces the whole text.
fn repeating_unit(text: &str) -> &str {
    let ends = text.char_indices().skip(1).map(|(end, _)| end);
    let mut ends = ends.take_while(|end| 2 * end <= text.len());
    let end = ends.find(|end| text.starts_with(&text[*end..]));
    &text[..end.unwrap_or(text.len())]
}

/// Splits the text into chunks of at most `MAX_CHUNK_CHARACTERS` characters.
fn chunks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(MAX_CHUNK_CHARACTERS);
        let (piece, after) = rest.split_at(end.map_or(rest.len(), |(end, _)| end));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// The reasons as sentences.
pub fn describe(reasons: &[&str], settings: &config::Auth) -> String {
    let sentence = |reason: &&str| match *reason {
        "length" => format!(
            "Password should be at least {} characters.",
            settings.password_min_length
        ),
        _ => "Password is known to be weak and easy to guess, please choose a different one."
            .to_owned(),
    };
    reasons.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHARACTERS, MAX_CHUNK_CHARACTERS, chunks, repeating_unit, weaknesses};
    use config::Auth;

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
            assert_eq!(repeating_unit(text), again);
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
            let all: Vec<&str> = chunks(&text).collect();
            assert_eq!(all.concat(), text);
            assert!(
                all.iter()
                    .all(|piece| piece.chars().count() <= MAX_CHUNK_CHARACTERS)
            );
            assert_eq!(
                all.len(),
                text.chars().count().div_ceil(MAX_CHUNK_CHARACTERS)
            );
        }
    }
}
