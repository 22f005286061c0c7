//! Verifies codes and links from emails and opens the session. Wrong, used, expired and foreign
//! tokens get the same response. `apply_token.rs` applies a verified token.

use super::consume_token::PkceLinks;
use super::pkce;
use crate::audit;
use crate::emails::purpose::Purpose;
use crate::error::{AuthError, Result, reject};
use crate::sessions::session::Grant;
use crate::throttle::{Attempt, SecretKind};
use crate::{Auth, ClientInfo};
use domain::account::{Aal, User};
use domain::clock::Time;
use domain::email::email_address::EmailAddress;
use store::accounts::one_time_tokens;
use store::accounts::one_time_tokens::OneTimeToken;
use store::{Connection, accounts};

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
        self.change(move |auth, conn, now| {
            let owner = accounts::by_email(conn, &email)?.map(|user| user.id);
            let attempt = Attempt {
                secret: SecretKind::Code,
                account: email.as_str(),
                user_id: owner.as_deref(),
                client: &caller.client,
            };
            let permit = auth.acquire_permit(conn, attempt, now)?;
            let row = auth.find_code(conn, kind, &email, owner.as_deref(), &code, now)?;
            let Some(row) = row else {
                let subject = auth.subject_of(owner.as_deref(), &email, now);
                let wrong = reject(AuthError::CODE_EXPIRED);
                return audit::audit_outcome(conn, wrong, &caller, Some(&subject), "otp", now);
            };
            permit.refund(conn)?;
            let method = match Purpose::of(&row) {
                Purpose::Magiclink => "otp",
                purpose => purpose.method(),
            };
            auth.apply_and_sign_in(conn, &row, method, &caller, now)
        })
        .await
    }

    /// Finds and consumes the row of this code. Every other slot that was tried counts a wrong
    /// code.
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
                && self.consume_code(conn, &row, code, now)?
            {
                found = Some(row);
            }
        }
        Ok(found)
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
        self.change(move |auth, conn, now| {
            let row = auth.find_link(conn, &caller, kind, &token, PkceLinks::Reject, now)?;
            auth.apply_and_sign_in(conn, &row, Purpose::of(&row).method(), &caller, now)
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
        self.change(move |auth, conn, now| {
            let row = auth.find_link(conn, &caller, kind, &token, PkceLinks::Accept, now)?;
            let method = Purpose::of(&row).method();
            let Some(user) = auth.apply_token(conn, &row, now)? else {
                return Ok(LinkResult::OneSideConfirmed);
            };
            // The row says whether a PKCE flow waits, not the token's text: the holder of a link
            // could remove the prefix.
            let Some(flow) = row.flow_id else {
                return auth
                    .sign_in_verified(conn, &user, method, &caller, now)
                    .map(LinkResult::SignedIn);
            };
            match pkce::issue_code(conn, &flow, &user.id, method, now)? {
                Some(code) => Ok(LinkResult::Code(code)),
                None => reject(AuthError::LINK_EXPIRED),
            }
        })
        .await
    }

    fn find_link(
        &self,
        conn: &Connection,
        caller: &ClientInfo,
        kind: VerifyType,
        token: &str,
        waiting: PkceLinks,
        now: Time,
    ) -> Result<OneTimeToken> {
        if let Some(row) = self.consume_link(conn, kind.slots(), token, waiting, now)? {
            return Ok(row);
        }
        let expired = reject(AuthError::LINK_EXPIRED);
        audit::audit_outcome(conn, expired, caller, None, "link", now)
    }

    /// Applies the token and signs the user in. A PKCE flow of the token is deleted.
    fn apply_and_sign_in(
        &self,
        conn: &Connection,
        row: &OneTimeToken,
        method: &str,
        caller: &ClientInfo,
        now: Time,
    ) -> Result<Option<Box<Grant>>> {
        if let Some(flow) = &row.flow_id {
            store::accounts::flows::delete(conn, flow)?;
        }
        let user = self.apply_token(conn, row, now)?;
        user.map(|user| self.sign_in_verified(conn, &user, method, caller, now))
            .transpose()
    }

    fn sign_in_verified(
        &self,
        conn: &Connection,
        user: &User,
        method: &str,
        caller: &ClientInfo,
        now: Time,
    ) -> Result<Box<Grant>> {
        let grant = self.open_session(conn, &user.id, method, Aal::Aal1, caller, now)?;
        audit::record_sign_in(conn, caller, &user.id, method, now)?;
        Ok(Box::new(grant))
    }
}
