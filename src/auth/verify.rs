//! Whether a code or a link from a mail is good, and the way in behind it. Wrong, used, expired and foreign ones are answered alike. What it changes is `promise.rs`.

use serde_json::json;

use super::audit::{self, Actor};
use super::email_tokens::Waiting;
use super::error::{AuthError, Kind, Result, reject};
use super::purpose::Purpose;
use super::session::Grant;
use super::throttle::{Guess, Secret};
use super::{Auth, Caller, pkce};
use crate::domain::account::{Aal, EmailAddress, User};
use crate::domain::clock::Time;
use crate::store::one_time_tokens::OneTimeToken;
use crate::store::{self, Connection, accounts, one_time_tokens};

/// The contract's types of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifyType {
    /// Sign-up and invitation, which share a slot.
    Confirmation,
    /// Recovery and magic link, which share another.
    Recovery,
    /// Either.
    Email,
    /// A change of address.
    EmailChange,
}

impl VerifyType {
    /// Reads the word.
    ///
    /// # Errors
    /// `validation_failed` for an unknown one; `phone_provider_disabled` for those of phones.
    pub fn parse(word: &str) -> Result<Self> {
        match word {
            "signup" | "invite" => Ok(Self::Confirmation),
            "recovery" | "magiclink" => Ok(Self::Recovery),
            "email" => Ok(Self::Email),
            "email_change" => Ok(Self::EmailChange),
            "sms" | "phone_change" => reject(AuthError::phone_disabled()),
            "" => reject(AuthError::validation("Verify requires a verification type")),
            _ => reject(AuthError::validation("Unsupported verification type")),
        }
    }

    fn slots(self) -> &'static [&'static str] {
        match self {
            Self::Confirmation => &["confirmation"],
            Self::Recovery => &["recovery"],
            Self::Email => &["confirmation", "recovery"],
            Self::EmailChange => &["email_change_current", "email_change_new"],
        }
    }
}

/// What came of it.
#[derive(Debug)]
pub enum Verified {
    /// Signed in.
    In(Box<Grant>),
    /// One half of a change of address; the other has to agree as well.
    Half,
}

/// What came of a link that was followed in a browser.
#[derive(Debug)]
pub enum Followed {
    /// Signed in.
    In(Box<Grant>),
    /// The browser that asked holds the verifier to this code.
    Code(String),
    /// One half of a change of address.
    Half,
}

impl Auth {
    /// Takes a code that was typed in.
    ///
    /// # Errors
    /// 403 `otp_expired`, `user_banned`; `over_request_rate_limit`.
    pub async fn verify_code(
        &self,
        caller: Caller,
        kind: VerifyType,
        email: EmailAddress,
        code: String,
    ) -> Result<Verified> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            let owner = accounts::by_email(conn, &email)?.map(|user| user.id);
            let guess = Guess {
                secret: Secret::Code,
                account: email.as_str(),
                user_id: owner.as_deref(),
                client: &caller.client,
            };
            let charge = auth.charge(conn, guess, now)?;
            let row = auth.find_code(conn, kind, &email, owner.as_deref(), &code, now)?;
            let Some(row) = row else {
                let subject = auth.subject_of(owner.as_deref(), &email, now);
                let wrong = reject(expired("Token has expired or is invalid"));
                return audit::noted(conn, wrong, &caller, Some(&subject), "otp", now);
            };
            charge.refund(conn)?;
            let method = match Purpose::of(&row) {
                Purpose::Magiclink => "otp",
                purpose => purpose.method(),
            };
            auth.settle(conn, &row, method, &caller, now)
        })
        .await
    }

    /// The row that this code belongs to, used up. Every slot that was tried in vain counts it.
    fn find_code(
        &self,
        conn: &Connection,
        kind: VerifyType,
        email: &EmailAddress,
        owner: Option<&str>,
        code: &str,
        now: Time,
    ) -> Result<Option<OneTimeToken>> {
        let mut rows = Vec::new();
        for slot in kind.slots() {
            if *slot == "email_change_new" {
                rows.extend(one_time_tokens::sent_to(conn, email.as_str(), slot, now)?);
            } else if let Some(owner) = owner {
                rows.extend(one_time_tokens::in_slot(conn, owner, slot, now)?);
            }
        }
        let mut found = None;
        for row in rows {
            if found.is_none()
                && row.address == email.as_str()
                && self.take_code(conn, &row, code, now)?
            {
                found = Some(row);
            }
        }
        Ok(found)
    }

    /// Takes the token of a link from a program. A link that some browser waits for is worth nothing without that browser's verifier: it is answered like an unknown
    /// one, and stays good for the browser.
    ///
    /// # Errors
    /// 403 `otp_expired`, `user_banned`; `over_request_rate_limit`.
    pub async fn verify_hash(
        &self,
        caller: Caller,
        kind: VerifyType,
        token: String,
    ) -> Result<Verified> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            let row = auth.find_link(conn, &caller, kind, &token, Waiting::Nobody, now)?;
            auth.settle(conn, &row, Purpose::of(&row).method(), &caller, now)
        })
        .await
    }

    /// Takes the token of a link whose button was pressed.
    ///
    /// # Errors
    /// 403 `otp_expired`, `user_banned`; `over_request_rate_limit`.
    pub async fn follow_link(
        &self,
        caller: Caller,
        kind: VerifyType,
        token: String,
    ) -> Result<Followed> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            let row = auth.find_link(conn, &caller, kind, &token, Waiting::Maybe, now)?;
            let method = Purpose::of(&row).method();
            let Some(user) = auth.honour(conn, &row, now)? else {
                return Ok(Followed::Half);
            };
            // The row says whether a browser waits, never the token's text: whoever has the link could cut the prefix off.
            let Some(flow) = row.flow_id else {
                return auth
                    .enter(conn, &user, method, &caller, now)
                    .map(Followed::In);
            };
            match pkce::give_code(conn, &flow, &user.id, method, now)? {
                Some(code) => Ok(Followed::Code(code)),
                None => reject(link_expired()),
            }
        })
        .await
    }

    fn find_link(
        &self,
        conn: &Connection,
        caller: &Caller,
        kind: VerifyType,
        token: &str,
        waiting: Waiting,
        now: Time,
    ) -> Result<OneTimeToken> {
        if let Some(row) = self.take_link(conn, kind.slots(), token, waiting, now)? {
            return Ok(row);
        }
        audit::noted(conn, reject(link_expired()), caller, None, "link", now)
    }

    /// Honours the row and lets its user in; no browser has to wait for a code any more.
    fn settle(
        &self,
        conn: &Connection,
        row: &OneTimeToken,
        method: &str,
        caller: &Caller,
        now: Time,
    ) -> Result<Verified> {
        if let Some(flow) = &row.flow_id {
            store::flows::delete(conn, flow)?;
        }
        match self.honour(conn, row, now)? {
            None => Ok(Verified::Half),
            Some(user) => self
                .enter(conn, &user, method, caller, now)
                .map(Verified::In),
        }
    }

    fn enter(
        &self,
        conn: &Connection,
        user: &User,
        method: &str,
        caller: &Caller,
        now: Time,
    ) -> Result<Box<Grant>> {
        let grant = self.open_session(conn, &user.id, method, Aal::Aal1, caller, now)?;
        let detail = [("method", json!(method))];
        audit::record_from(
            conn,
            &caller.client,
            "sign_in",
            Actor::User(&user.id),
            Some(&user.id),
            &detail,
            now,
        )?;
        Ok(Box::new(grant))
    }
}

pub(super) fn link_expired() -> AuthError {
    expired("Email link is invalid or has expired")
}

fn expired(message: &'static str) -> AuthError {
    AuthError::new(Kind::Forbidden, "otp_expired", message)
}
