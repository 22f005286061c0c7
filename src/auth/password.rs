//! Passwords: argon2id (OWASP's parameters by default) off the async threads, a few at a time with a bounded queue, so that a flood of sign-ins can neither eat
//! the memory nor hold requests for ever; and what makes a password weak.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use tokio::sync::Semaphore;

use super::error::{Error, Kind, Refusal, Result, refuse};
use crate::config;
use crate::domain::ids;

/// Longer ones are refused: they would only feed the hash and the strength check (OWASP ASVS 2.1.2).
pub const MAX_CHARACTERS: usize = 128;
/// Hashes brought in by an admin may not cost more than this (KiB), nor run more often over it.
const MAX_MEMORY_KIB: u32 = 65_536;
const MAX_ITERATIONS: u32 = 10;

/// Hashes and checks passwords.
pub struct Hasher {
    argon2: Argon2<'static>,
    running: Arc<Semaphore>,
    seats: Arc<Semaphore>,
    stand_in: String,
    operations: AtomicU64,
}

impl Hasher {
    /// With the settings' parameters and bounds.
    ///
    /// # Errors
    /// When argon2 cannot work with the parameters.
    pub fn new(settings: &config::Auth) -> Result<Self> {
        let params = Params::new(
            settings.argon2_memory_kib,
            settings.argon2_iterations,
            1,
            None,
        )
        .map_err(|error| Error::Broken(format!("argon2: {error}")))?;
        let at_once = settings.hashes_at_once.max(1) as usize;
        // Looks like a hash, costs like a hash, and is nobody's.
        let stand_in = format!(
            "$argon2id$v=19$m={},t={},p=1${}${}",
            settings.argon2_memory_kib,
            settings.argon2_iterations,
            STANDARD_NO_PAD.encode(ids::random_bytes::<16>()),
            STANDARD_NO_PAD.encode(ids::random_bytes::<32>()),
        );
        Ok(Self {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            running: Arc::new(Semaphore::new(at_once)),
            seats: Arc::new(Semaphore::new(at_once + settings.hashes_waiting as usize)),
            stand_in,
            operations: AtomicU64::new(0),
        })
    }

    /// The hash of a password, as a PHC string with its own salt.
    ///
    /// # Errors
    /// `over_request_rate_limit` when too many wait.
    pub async fn hash(&self, password: &str) -> Result<String> {
        let (argon2, password) = (self.argon2.clone(), password.to_owned());
        self.run(move || {
            argon2
                .hash_password(password.as_bytes())
                .map(|hash| hash.to_string())
                .map_err(|error| Error::Broken(format!("argon2: {error}")))
        })
        .await?
    }

    /// Whether the password is the one behind `hash`. Without a hash the same work is done for nothing, so that nobody can tell by the time.
    ///
    /// # Errors
    /// `over_request_rate_limit` when too many wait.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        let (argon2, password) = (self.argon2.clone(), password.to_owned());
        let known = hash.is_some();
        let hash = hash.unwrap_or(&self.stand_in).to_owned();
        let right = self
            .run(move || {
                PasswordHash::new(&hash)
                    .is_ok_and(|hash| argon2.verify_password(password.as_bytes(), &hash).is_ok())
            })
            .await?;
        Ok(known && right)
    }

    /// Whether a hash was made with other parameters than today's.
    pub fn is_outdated(&self, hash: &str) -> bool {
        let ours = self.argon2.params();
        PasswordHash::new(hash)
            .ok()
            .and_then(|hash| Params::try_from(&hash).ok())
            .is_none_or(|params| {
                (params.m_cost(), params.t_cost(), params.p_cost())
                    != (ours.m_cost(), ours.t_cost(), ours.p_cost())
            })
    }

    /// How many hashes were computed since the start: what a stranger would measure by the clock, a test counts.
    pub fn operations(&self) -> u64 {
        self.operations.load(Ordering::Relaxed)
    }

    async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let Ok(seat) = self.seats.clone().try_acquire_owned() else {
            return refuse(Refusal::too_often(1));
        };
        let turn = self.running.clone().acquire_owned().await;
        self.operations.fetch_add(1, Ordering::Relaxed);
        // Seat and turn go with the job: a caller that hangs up does not make room before the memory is free again.
        tokio::task::spawn_blocking(move || {
            let result = job();
            drop((turn, seat));
            result
        })
        .await
        .map_err(|_| Error::Broken("a hash could not be computed".into()))
    }
}

/// Whether an admin may bring this hash in: argon2id within bounds.
pub fn is_acceptable_hash(hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|parsed| {
        parsed.algorithm.as_str() == "argon2id"
            && parsed.hash.is_some()
            && parsed.salt.is_some()
            && Params::try_from(&parsed).is_ok_and(|params| {
                params.m_cost() <= MAX_MEMORY_KIB && params.t_cost() <= MAX_ITERATIONS
            })
    })
}

/// Why a password is weak: `length`, `characters`, `pwned` (contract section 6). `own` are words that others know of the user. Empty: it is good.
pub fn weaknesses(password: &str, settings: &config::Auth, own: &[&str]) -> Vec<&'static str> {
    let mut reasons = Vec::new();
    if password.chars().count() < settings.password_min_length as usize {
        reasons.push("length");
    }
    let lacks = |class: &String| !password.chars().any(|c| is_of(c, class));
    if settings.password_characters.iter().any(lacks) {
        reasons.push("characters");
    }
    // zxcvbn brings lists of leaked passwords, names and words with it: below a million guesses it is one of them with ornaments.
    if zxcvbn::zxcvbn(password, own).score() < zxcvbn::Score::Two {
        reasons.push("pwned");
    }
    reasons
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

/// Refuses a weak or oversized password.
///
/// # Errors
/// `weak_password` with the reasons; `validation_failed` when it is too long.
pub fn demand_strength(password: &str, settings: &config::Auth, own: &[&str]) -> Result<()> {
    if password.chars().count() > MAX_CHARACTERS {
        return refuse(Refusal::validation(format!(
            "Password cannot be longer than {MAX_CHARACTERS} characters"
        )));
    }
    let reasons = weaknesses(password, settings, own);
    if reasons.is_empty() {
        return Ok(());
    }
    refuse(Refusal {
        message: describe(&reasons, settings).into(),
        reasons,
        ..Refusal::new(Kind::Unprocessable, "weak_password", "")
    })
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
    use super::{Hasher, is_acceptable_hash, weaknesses};
    use crate::config::Auth;

    fn cheap() -> Auth {
        Auth {
            argon2_memory_kib: 8,
            argon2_iterations: 1,
            hashes_at_once: 1,
            hashes_waiting: 1,
            ..Auth::default()
        }
    }

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

    #[tokio::test]
    async fn a_hash_is_checked_and_an_unknown_user_costs_the_same_work() {
        let hasher = Hasher::new(&cheap()).unwrap();
        let hash = hasher.hash("correct horse").await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"));
        let before = hasher.operations();
        assert!(hasher.verify("correct horse", Some(&hash)).await.unwrap());
        assert!(!hasher.verify("wrong", Some(&hash)).await.unwrap());
        assert!(!hasher.verify("correct horse", None).await.unwrap());
        assert_eq!(hasher.operations() - before, 3);
        assert!(!hasher.is_outdated(&hash));
        assert!(
            Hasher::new(&Auth {
                argon2_iterations: 2,
                ..cheap()
            })
            .unwrap()
            .is_outdated(&hash)
        );
    }

    #[tokio::test]
    async fn a_flood_is_turned_away_instead_of_queued() {
        let hasher = Hasher::new(&cheap()).unwrap();
        let flood = futures_util::future::join_all((0..50).map(|_| hasher.verify("x", None))).await;
        let refused = flood.iter().filter(|answer| answer.is_err()).count();
        assert_eq!(refused, 48);
    }

    #[test]
    fn only_affordable_argon2id_hashes_are_taken_in() {
        let hash = |m: u32| {
            format!(
                "$argon2id$v=19$m={m},t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$Y5lqPIYQ5jK6x0wXXzlRe3WvQ5HqFKf0nE5kkq3YV2c"
            )
        };
        assert!(is_acceptable_hash(&hash(19_456)));
        assert!(!is_acceptable_hash(&hash(4_000_000)));
        assert!(!is_acceptable_hash("$2b$10$abcdefghijklmnopqrstuv"));
        assert!(!is_acceptable_hash("plain"));
    }
}
