//! Sign-in with a message signed by a wallet. `web3` verifies the message; this file ensures that
//! it works only once.

use super::external_identity::ExternalProfile;
use super::web3::{self, Chain};
use crate::error::{AuthError, Error, Kind, Result, reject};
use crate::{Auth, ClientInfo, Grant};
use store::accounts::used_nonces;

impl Auth {
    /// Opens a session for the owner of the wallet. Errors: 400 `web3_unsupported_chain`, 422
    /// `web3_provider_disabled`, 400 `validation_failed` for the form, 400 `invalid_credentials`
    /// for the rest; `signup_disabled`, `user_banned`.
    pub async fn sign_in_with_wallet(
        &self,
        caller: ClientInfo,
        chain: &str,
        message: &str,
        signature: &str,
    ) -> Result<Grant> {
        let Some(chain) = Chain::parse(chain) else {
            return reject(AuthError::WEB3_UNSUPPORTED_CHAIN);
        };
        let offered = match chain {
            Chain::Ethereum => self.config.web3.ethereum,
            Chain::Solana => self.config.web3.solana,
        };
        if !offered {
            return reject(AuthError::WEB3_PROVIDER_DISABLED);
        }
        self.ip_limiter.check(&caller)?;
        let machine = self.clock.machine();
        let verified = web3::verify(chain, message, signature, &self.urls.origin, machine);
        let verified = verified.map_err(|error| {
            Error::from(match error {
                web3::Error::Malformed(why) => AuthError::validation(why),
                web3::Error::Rejected(why) => wrong(why),
            })
        });
        let signed = self.audit_outcome(verified, &caller, None, "web3").await?;
        let external = ExternalProfile::of_wallet(chain.as_str(), &signed.address, signed.subject);
        self.change(move |tx| {
            if !used_nonces::mark_used(tx.conn, &signed.digest, signed.expires_at)? {
                let used = reject(wrong("The message has been used already"));
                return tx.audit_outcome(used, &caller, None, "web3");
            }
            tx.sign_in_external(external, "web3", &caller)
        })
        .await
    }
}

fn wrong(why: &'static str) -> AuthError {
    AuthError::new(Kind::Invalid, "invalid_credentials", why)
}
