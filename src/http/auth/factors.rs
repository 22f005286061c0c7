//! Second factors and recovery codes.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::{Bearer, Caller};
use super::dto::Session;
use super::error_response::AuthResult;
use super::{Tag, given, uuid};
use crate::auth::{AuthError, Kind};
use crate::http::App;
use crate::http::strict_json::StrictJson;

/// A factor to begin.
#[derive(Object, Deserialize)]
struct EnrollRequest {
    /// `totp`.
    factor_type: Option<String>,
    /// The user's own word for it.
    friendly_name: Option<String>,
    /// What the app shows above the account; default: the site.
    issuer: Option<String>,
}

/// A factor that has just been begun.
#[derive(Object)]
struct EnrolledFactor {
    /// UUID.
    id: String,
    /// `totp`.
    #[oai(rename = "type")]
    kind: String,
    /// The user's own word for it.
    friendly_name: String,
    /// What the app needs; shown this once.
    totp: TotpSecret,
}

/// What the app needs.
#[derive(Object)]
struct TotpSecret {
    /// Bare SVG.
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
    /// Its end, in Unix seconds.
    expires_at: i64,
}

/// A code for a challenge.
#[derive(Object, Deserialize)]
struct VerifyFactor {
    /// The challenge.
    challenge_id: Option<String>,
    /// Six digits.
    code: Option<String>,
}

/// The factor that went.
#[derive(Object)]
struct Unenrolled {
    /// UUID.
    id: String,
}

/// New recovery codes.
#[derive(Object)]
struct RecoveryCodes {
    /// Shown this once.
    codes: Vec<String>,
}

/// How many recovery codes are left.
#[derive(Object)]
struct RecoveryCodesLeft {
    /// Of ten.
    left: u32,
}

/// A recovery code.
#[derive(Object, Deserialize)]
struct RecoveryCode {
    /// As it was shown; case and hyphens do not matter.
    code: Option<String>,
}

/// The endpoints of second factors.
pub struct Factors;

#[OpenApi(tag = "Tag::Authentication")]
impl Factors {
    /// Begin a second factor.
    #[oai(
        path = "/auth/v1/factors",
        method = "post",
        operation_id = "auth_enroll"
    )]
    async fn enroll(
        &self,
        app: Data<&Arc<App>>,
        caller: Bearer,
        body: StrictJson<EnrollRequest>,
    ) -> AuthResult<EnrolledFactor> {
        let body = body.0;
        let off = |code, message: &'static str| AuthError::new(Kind::Unprocessable, code, message);
        match body.factor_type.as_deref().unwrap_or_default() {
            "totp" => {}
            "phone" => {
                return Err(off(
                    "mfa_phone_enroll_not_enabled",
                    "MFA enroll is disabled for Phone",
                )
                .into());
            }
            "webauthn" => {
                return Err(off(
                    "mfa_webauthn_enroll_not_enabled",
                    "MFA enroll is disabled for WebAuthn",
                )
                .into());
            }
            _ => return Err(AuthError::validation("factor_type needs to be totp").into()),
        }
        let name = body.friendly_name.unwrap_or_default();
        let enrolled = app.auth.enroll(caller.0, name, given(body.issuer)).await?;
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

    /// Ask for a code.
    #[oai(
        path = "/auth/v1/factors/:factor_id/challenge",
        method = "post",
        operation_id = "auth_challenge"
    )]
    async fn challenge(
        &self,
        app: Data<&Arc<App>>,
        from: Caller,
        caller: Bearer,
        factor_id: Path<String>,
    ) -> AuthResult<ChallengeResponse> {
        let id = uuid(&factor_id.0, "factor_id")?;
        let (id, end) = app.auth.challenge(from.0, caller.0, id).await?;
        Ok(Json(ChallengeResponse {
            id,
            kind: "totp".to_owned(),
            expires_at: end.seconds(),
        }))
    }

    /// Give the code: this session rises to `aal2`, with new tokens.
    #[oai(
        path = "/auth/v1/factors/:factor_id/verify",
        method = "post",
        operation_id = "auth_verify_factor"
    )]
    async fn verify(
        &self,
        app: Data<&Arc<App>>,
        from: Caller,
        caller: Bearer,
        factor_id: Path<String>,
        body: StrictJson<VerifyFactor>,
    ) -> AuthResult<Session> {
        let id = uuid(&factor_id.0, "factor_id")?;
        let (challenge, code) = (body.0.challenge_id, body.0.code);
        let grant = app
            .auth
            .verify_factor(
                from.0,
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
        path = "/auth/v1/factors/:factor_id",
        method = "delete",
        operation_id = "auth_unenroll"
    )]
    async fn unenroll(
        &self,
        app: Data<&Arc<App>>,
        caller: Bearer,
        factor_id: Path<String>,
    ) -> AuthResult<Unenrolled> {
        let id = uuid(&factor_id.0, "factor_id")?;
        app.auth.unenroll(caller.0, id.clone()).await?;
        Ok(Json(Unenrolled { id }))
    }

    /// Make ten new recovery codes; older ones are void.
    ///
    /// Needs a verified factor, shown in this session.
    #[oai(
        path = "/auth/v1/account/recovery-codes",
        method = "post",
        operation_id = "auth_make_recovery_codes"
    )]
    async fn make_codes(&self, app: Data<&Arc<App>>, caller: Bearer) -> AuthResult<RecoveryCodes> {
        let codes = app.auth.make_recovery_codes(caller.0).await?;
        Ok(Json(RecoveryCodes { codes }))
    }

    /// How many recovery codes are left?
    #[oai(
        path = "/auth/v1/account/recovery-codes",
        method = "get",
        operation_id = "auth_recovery_codes_left"
    )]
    async fn codes_left(
        &self,
        app: Data<&Arc<App>>,
        caller: Bearer,
    ) -> AuthResult<RecoveryCodesLeft> {
        let left = app.auth.recovery_codes_left(&caller.0).await?;
        Ok(Json(RecoveryCodesLeft { left }))
    }

    /// Give a recovery code in the place of the second factor: this session rises to `aal2`, with new tokens.
    #[oai(
        path = "/auth/v1/account/recovery-codes/verify",
        method = "post",
        operation_id = "auth_use_recovery_code"
    )]
    async fn use_code(
        &self,
        app: Data<&Arc<App>>,
        from: Caller,
        caller: Bearer,
        body: StrictJson<RecoveryCode>,
    ) -> AuthResult<Session> {
        let code = body.0.code.unwrap_or_default();
        let grant = app.auth.use_recovery_code(from.0, caller.0, code).await?;
        Ok(Json(grant.into()))
    }
}
