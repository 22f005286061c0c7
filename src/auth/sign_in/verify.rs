//! Verifies codes and links from emails and opens the session. Wrong, used, expired and foreign
//! tokens get the same response. `apply_token.rs` applies a verified token.

use super::consume_token::PkceLinks;
use super::pkce;
use crate::emails::purpose::Purpose;
use crate::error::{AuthError, Result, reject};
use crate::sessions::session::Grant;
use crate::throttle::SecretKind;
use crate::{Auth, ClientInfo, Transaction};
use domain::account::{Aal, User};
use domain::email::email_address::EmailAddress;
use store::accounts;
use store::accounts::one_time_tokens::{self, OneTimeToken};

/// Verification types of the auth API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifyType {
    /// Sign-up and invitation, which share a slot.
    Confirmation,
    /// Recovery and magic link, which share another slot.
    Recovery,
    /// Both of these slots.
    Email,
    EmailChange,
}

impl VerifyType {
    /// Parses the `type` parameter. Errors: `validation_failed` for an unknown type;
    /// `phone_provider_disabled` for phone types.
    pub fn parse(value: &str) -> Result<Self> {
        match value {
            "signup" | "invite" => Ok(Self::Confirmation),
            "recovery" | "magiclink" => Ok(Self::Recovery),
            "email" => Ok(Self::Email),
            "email_change" => Ok(Self::EmailChange),
            "sms" | "phone_change" => reject(AuthError::PHONE_PROVIDER_DISABLED),
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

/// Result of following a link in a browser.
#[derive(Debug)]
pub enum LinkResult {
    SignedIn(Box<Grant>),
    /// A code for the browser that holds the PKCE verifier.
    Code(String),
    /// One side of an email change is confirmed.
    OneSideConfirmed,
}

impl Auth {
    /// Verifies a typed code; `None` if it confirmed one side of an email change and the other is
    /// still missing. Errors: 403 `otp_expired`, `user_banned`; `over_request_rate_limit`.
    pub async fn verify_code(
        &self,
        caller: ClientInfo,
        kind: VerifyType,
        email: EmailAddress,
        code: String,
    ) -> Result<Option<Box<Grant>>> {
        self.ip_limiter.check(&caller)?;
        self.change(move |tx| {
            let conn = tx.conn;
            let owner = accounts::by_email(conn, &email)?.map(|user| user.id);
            let (secret, user_id) = (SecretKind::Code, owner.as_deref());
            let permit = tx.acquire_permit(secret, email.as_str(), user_id, &caller)?;
            let row = tx.find_code(kind, &email, owner.as_deref(), &code)?;
            let Some(row) = row else {
                let subject = tx.subject_of(owner.as_deref(), &email);
                let wrong = reject(AuthError::CODE_EXPIRED);
                return tx.audit_outcome(wrong, &caller, Some(&subject), "otp");
            };
            permit.refund(conn)?;
            let method = match Purpose::of(&row) {
                Purpose::Magiclink => "otp",
                purpose => purpose.method(),
            };
            tx.apply_and_sign_in(&row, method, &caller)
        })
        .await
    }

    /// Verifies the token of a link sent by an API client; returns what `verify_code` does. The
    /// token of a PKCE flow is rejected like an unknown one, because it needs the browser's
    /// verifier, and stays valid for the browser. Errors: 403 `otp_expired`, `user_banned`;
    /// `over_request_rate_limit`.
    pub async fn verify_hash(
        &self,
        caller: ClientInfo,
        kind: VerifyType,
        token: String,
    ) -> Result<Option<Box<Grant>>> {
        self.ip_limiter.check(&caller)?;
        self.change(move |tx| {
            let row = tx.find_link(&caller, kind, &token, PkceLinks::Reject)?;
            tx.apply_and_sign_in(&row, Purpose::of(&row).method(), &caller)
        })
        .await
    }

    /// Verifies the token of a link confirmed in a browser. Errors: 403 `otp_expired`,
    /// `user_banned`; `over_request_rate_limit`.
    pub async fn follow_link(
        &self,
        caller: ClientInfo,
        kind: VerifyType,
        token: String,
    ) -> Result<LinkResult> {
        self.ip_limiter.check(&caller)?;
        self.change(move |tx| {
            let row = tx.find_link(&caller, kind, &token, PkceLinks::Accept)?;
            let method = Purpose::of(&row).method();
            let Some(user) = tx.apply_token(&row)? else {
                return Ok(LinkResult::OneSideConfirmed);
            };
            // The row says whether a PKCE flow waits, not the token's text: the holder of a link
            // could remove the prefix.
            let Some(flow) = row.flow_id else {
                return tx
                    .sign_in_verified(&user, method, &caller)
                    .map(LinkResult::SignedIn);
            };
            match pkce::issue_code(tx, &flow, &user.id, method)? {
                Some(code) => Ok(LinkResult::Code(code)),
                None => reject(AuthError::LINK_EXPIRED),
            }
        })
        .await
    }
}

impl Transaction<'_> {
    /// Finds and consumes the row of this code. Every other slot that was tried counts a wrong
    /// code.
    fn find_code(
        &self,
        kind: VerifyType,
        email: &EmailAddress,
        owner: Option<&str>,
        code: &str,
    ) -> Result<Option<OneTimeToken>> {
        let Transaction { conn, now, .. } = *self;
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
            if found.is_none() && row.address == email.as_str() && self.consume_code(&row, code)? {
                found = Some(row);
            }
        }
        Ok(found)
    }

    fn find_link(
        &self,
        caller: &ClientInfo,
        kind: VerifyType,
        token: &str,
        waiting: PkceLinks,
    ) -> Result<OneTimeToken> {
        if let Some(row) = self.consume_link(kind.slots(), token, waiting)? {
            return Ok(row);
        }
        let expired = reject(AuthError::LINK_EXPIRED);
        self.audit_outcome(expired, caller, None, "link")
    }

    /// Applies the token and signs the user in. A PKCE flow of the token is deleted.
    fn apply_and_sign_in(
        &self,
        row: &OneTimeToken,
        method: &str,
        caller: &ClientInfo,
    ) -> Result<Option<Box<Grant>>> {
        if let Some(flow) = &row.flow_id {
            store::accounts::flows::delete(self.conn, flow)?;
        }
        let user = self.apply_token(row)?;
        user.map(|user| self.sign_in_verified(&user, method, caller))
            .transpose()
    }

    fn sign_in_verified(
        &self,
        user: &User,
        method: &str,
        caller: &ClientInfo,
    ) -> Result<Box<Grant>> {
        let grant = self.open_session(&user.id, method, Aal::Aal1, caller)?;
        self.record_sign_in(caller, &user.id, method)?;
        Ok(Box::new(grant))
    }
}
