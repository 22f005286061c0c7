//! Second factors and recovery codes.

use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::{Bearer, Caller};
use super::dto::Session;
use super::error_response::AuthResult;
use super::parameters::{non_empty, parse_uuid};
use crate::tags::Tag;
use auth::{Auth, AuthError};
use http::Uses;
use http::request::strict_json::StrictJson;

/// A factor to enroll.
#[derive(Object, Deserialize)]
struct EnrollRequest {
    /// `totp`.
    factor_type: Option<String>,
    /// The user's name for it.
    friendly_name: Option<String>,
    /// The issuer that the authenticator app shows; default: the site.
    issuer: Option<String>,
}

/// A factor that has just been enrolled and is not verified yet.
#[derive(Object)]
struct EnrolledFactor {
    /// UUID.
    id: String,
    /// `totp`.
    #[oai(rename = "type")]
    kind: String,
    /// The user's name for it.
    friendly_name: String,
    /// The secret for the authenticator app; shown only once.
    totp: TotpSecret,
}

/// The secret for the authenticator app.
#[derive(Object)]
struct TotpSecret {
    /// The QR code as SVG.
    qr_code: String,
    /// Base32.
    secret: String,
    /// `otpauth://totp/…`
    uri: String,
}

/// A challenge.
#[derive(Object)]
struct ChallengeResponse {
    /// UUID.
    id: String,
    /// `totp`.
    #[oai(rename = "type")]
    kind: String,
    /// When it expires, in Unix seconds.
    expires_at: i64,
}

/// A code for a challenge.
#[derive(Object, Deserialize)]
struct VerifyFactor {
    /// The challenge's id.
    challenge_id: Option<String>,
    /// Six digits.
    code: Option<String>,
}

/// The removed factor.
#[derive(Object)]
struct Unenrolled {
    /// UUID.
    id: String,
}

/// New recovery codes.
#[derive(Object)]
struct RecoveryCodes {
    /// Shown only once.
    codes: Vec<String>,
}

/// The number of unused recovery codes.
#[derive(Object)]
struct RecoveryCodesLeft {
    /// At most ten.
    left: u32,
}

/// A recovery code.
#[derive(Object, Deserialize)]
struct RecoveryCode {
    /// As shown; case and hyphens are ignored.
    code: Option<String>,
}

/// The endpoints of second factors.
pub struct Factors;

#[OpenApi(prefix_path = "/auth/v1", tag = "Tag::Authentication")]
impl Factors {
    /// Enroll a second factor.
    #[oai(path = "/factors", method = "post", operation_id = "auth_enroll")]
    async fn enroll(
        &self,
        auth: Uses<&Auth>,
        caller: Bearer,
        body: StrictJson<EnrollRequest>,
    ) -> AuthResult<EnrolledFactor> {
        let body = body.0;
        match body.factor_type.as_deref().unwrap_or_default() {
            "totp" => {}
            "phone" => return Err(AuthError::MFA_PHONE_ENROLL_NOT_ENABLED.into()),
            "webauthn" => return Err(AuthError::MFA_WEBAUTHN_ENROLL_NOT_ENABLED.into()),
            _ => return Err(AuthError::validation("factor_type needs to be totp").into()),
        }
        let name = body.friendly_name.unwrap_or_default();
        let enrolled = auth.enroll(caller.0, name, non_empty(body.issuer)).await?;
        Ok(Json(EnrolledFactor {
            id: enrolled.id,
            kind: "totp".to_owned(),
            friendly_name: enrolled.friendly_name,
            totp: TotpSecret {
                qr_code: enrolled.qr_code,
                secret: enrolled.secret,
                uri: enrolled.uri,
            },
        }))
    }

    /// Create a challenge for a factor.
    #[oai(
        path = "/factors/:factor_id/challenge",
        method = "post",
        operation_id = "auth_challenge"
    )]
    async fn challenge(
        &self,
        auth: Uses<&Auth>,
        Caller(from): Caller,
        caller: Bearer,
        factor_id: Path<String>,
    ) -> AuthResult<ChallengeResponse> {
        let id = parse_uuid(&factor_id.0, "factor_id")?;
        let challenge = auth.challenge(from, caller.0, id).await?;
        Ok(Json(ChallengeResponse {
            id: challenge.id,
            kind: "totp".to_owned(),
            expires_at: challenge.expires_at.seconds(),
        }))
    }

    /// Verify a factor's code. Raises this session to `aal2` and returns new tokens.
    #[oai(
        path = "/factors/:factor_id/verify",
        method = "post",
        operation_id = "auth_verify_factor"
    )]
    async fn verify(
        &self,
        auth: Uses<&Auth>,
        Caller(from): Caller,
        caller: Bearer,
        factor_id: Path<String>,
        body: StrictJson<VerifyFactor>,
    ) -> AuthResult<Session> {
        let id = parse_uuid(&factor_id.0, "factor_id")?;
        let (challenge, code) = (body.0.challenge_id, body.0.code);
        let grant = auth
            .verify_factor(
                from,
                caller.0,
                id,
                challenge.unwrap_or_default(),
                code.unwrap_or_default(),
            )
            .await?;
        Ok(Json(grant.into()))
    }

    /// Remove a second factor.
    #[oai(
        path = "/factors/:factor_id",
        method = "delete",
        operation_id = "auth_unenroll"
    )]
    async fn unenroll(
        &self,
        auth: Uses<&Auth>,
        caller: Bearer,
        factor_id: Path<String>,
    ) -> AuthResult<Unenrolled> {
        let id = parse_uuid(&factor_id.0, "factor_id")?;
        auth.unenroll(caller.0, id.clone()).await?;
        Ok(Json(Unenrolled { id }))
    }

    /// Create ten recovery codes; older ones become invalid.
    ///
    /// Needs a verified factor, used in this session.
    #[oai(
        path = "/account/recovery-codes",
        method = "post",
        operation_id = "auth_make_recovery_codes"
    )]
    async fn make_codes(&self, auth: Uses<&Auth>, caller: Bearer) -> AuthResult<RecoveryCodes> {
        let codes = auth.make_recovery_codes(caller.0).await?;
        Ok(Json(RecoveryCodes { codes }))
    }

    /// Count the unused recovery codes.
    #[oai(
        path = "/account/recovery-codes",
        method = "get",
        operation_id = "auth_recovery_codes_left"
    )]
    async fn codes_left(&self, auth: Uses<&Auth>, caller: Bearer) -> AuthResult<RecoveryCodesLeft> {
        let left = auth.recovery_codes_left(&caller.0).await?;
        Ok(Json(RecoveryCodesLeft { left }))
    }

    /// Use a recovery code instead of the second factor. Raises this session to `aal2` and returns
    /// new tokens.
    #[oai(
        path = "/account/recovery-codes/verify",
        method = "post",
        operation_id = "auth_use_recovery_code"
    )]
    async fn use_code(
        &self,
        auth: Uses<&Auth>,
        Caller(from): Caller,
        caller: Bearer,
        body: StrictJson<RecoveryCode>,
    ) -> AuthResult<Session> {
        let code = body.0.code.unwrap_or_default();
        let grant = auth.use_recovery_code(from, caller.0, code).await?;
        Ok(Json(grant.into()))
    }
}
