//! Sealed tokens of links, which only this server can read and create. Each is tied to its use and
//! its path. Access tokens are not accepted here, nor these as access tokens.

use serde::{Deserialize, Serialize};

use super::error::{Code, Refusal, Result};
use super::{Error, Files};
use domain::clock::Time;
use domain::ids;

/// Separates these tokens from other secrets sealed with the key.
const OWNER: &str = "storage token";

/// The use of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "use", rename_all = "snake_case")]
pub(super) enum Permit {
    /// To download one object.
    Download {
        bucket: String,
        /// The key.
        name: String,
        /// The object's id.
        object: String,
    },
    /// To upload one file.
    Upload {
        bucket: String,
        /// The key.
        name: String,
        /// The admin who made the URL.
        owner: String,
        /// Whether an existing object is replaced.
        upsert: bool,
    },
    /// To add files to a quote.
    Grant { quote: String },
}

/// The content of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Token {
    /// Its random id.
    pub id: String,
    /// When it expires, in milliseconds since the Unix epoch.
    pub expires: i64,
    /// Its use.
    #[serde(flatten)]
    pub permit: Permit,
}

impl Token {
    pub(super) fn expires_at(&self) -> Time {
        Time::from_millis(self.expires)
    }

    /// Refuses an expired token.
    pub(super) fn check_time(&self, now: Time) -> Result<()> {
        if now >= self.expires_at() {
            return Err(Code::ExpiredToken.into());
        }
        Ok(())
    }
}

impl Files {
    /// Seals a token that expires at `expires`.
    pub(super) fn seal(&self, permit: Permit, expires: Time) -> Result<String> {
        let token = Token {
            id: hex::encode(ids::random_bytes::<16>()),
            expires: expires.millis(),
            permit,
        };
        let text = serde_json::to_string(&token).map_err(|_| Error::Internal("a token"))?;
        self.key
            .seal(&text, OWNER)
            .map_err(|_| Error::Internal("a token cannot be sealed"))
    }

    /// Opens a token. Errors: `InvalidJwt` if it was not made here.
    pub(super) fn unseal(&self, token: &str) -> Result<Token> {
        let forged = || Refusal::from(Code::InvalidJwt);
        let text = self.key.open(token, OWNER).map_err(|_| forged())?;
        Ok(serde_json::from_str(&text).map_err(|_| forged())?)
    }
}
