//! Signing out, and the list of sessions for the account page (an addition to the contract).

use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::{Bearer, Caller};
use super::dto::Empty;
use super::error_response::{AuthResult, ErrorResponse};
use super::parameters::{non_empty, parse_uuid};
use crate::tags::Tag;
use auth::sessions::reauthentication::Proof;
use auth::{Auth, AuthError, Scope};
use domain::clock::Time;
use http::Uses;
use http::request::strict_json::StrictJson;
use http::request::success_responses::NoContent;

/// One of the user's sessions.
#[derive(Object)]
#[oai(skip_serializing_if_is_none)]
struct OwnSession {
    /// UUID.
    id: String,
    /// When it was opened.
    created_at: Time,
    /// When it was last renewed.
    refreshed_at: Time,
    /// `aal1` or `aal2`.
    aal: String,
    /// The browser's user agent.
    user_agent: Option<String>,
    /// Whether it is the session of this request.
    current: bool,
}

/// A proof of who uses the session: one of the two.
#[derive(Object, Deserialize)]
struct Reauthentication {
    /// The account's password.
    password: Option<String>,
    /// The code of `/reauthenticate`.
    nonce: Option<String>,
}

/// The user's sessions.
#[derive(Object)]
struct OwnSessions {
    /// The newest first.
    sessions: Vec<OwnSession>,
}

/// The endpoints of sessions.
pub struct Sessions;

#[OpenApi(prefix_path = "/auth/v1", tag = "Tag::Authentication")]
impl Sessions {
    /// Sign out.
    #[oai(path = "/logout", method = "post", operation_id = "auth_logout")]
    async fn logout(
        &self,
        auth: Uses<&Auth>,
        caller: Bearer,
        /// `global` (default): all sessions of the user; `local`: this one; `others`: all except
        /// this one.
        scope: Query<Option<String>>,
    ) -> Result<NoContent, ErrorResponse> {
        let scope = Scope::read(scope.0.as_deref())?;
        auth.sign_out(caller.0, scope).await?;
        Ok(NoContent::Done)
    }

    /// Prove again who uses this session.
    ///
    /// An addition to the contract. Erasing a person, exporting lists and publishing ask for a
    /// sign-in that is at most ten minutes old; this counts as one, as does verifying a factor. 422
    /// for a wrong password or code.
    #[oai(
        path = "/account/reauthenticate",
        method = "post",
        operation_id = "auth_reauthenticate_session"
    )]
    async fn reauthenticate(
        &self,
        auth: Uses<&Auth>,
        Caller(from): Caller,
        caller: Bearer,
        body: StrictJson<Reauthentication>,
    ) -> Result<NoContent, ErrorResponse> {
        let Reauthentication { password, nonce } = body.0;
        let proof = match (non_empty(password), non_empty(nonce)) {
            (Some(password), None) => Proof::Password(password),
            (None, Some(code)) => Proof::EmailedCode(code),
            _ => return Err(AuthError::validation("Send either password or nonce").into()),
        };
        auth.reauthenticate_session(from, caller.0, proof).await?;
        Ok(NoContent::Done)
    }

    /// List the signed-in user's sessions.
    #[oai(path = "/sessions", method = "get", operation_id = "auth_sessions")]
    async fn list(&self, auth: Uses<&Auth>, caller: Bearer) -> AuthResult<OwnSessions> {
        let current = &caller.0.session.id;
        let sessions = auth.list_sessions(&caller.0).await?;
        let sessions = sessions
            .into_iter()
            .map(|session| OwnSession {
                current: &session.id == current,
                id: session.id,
                created_at: session.created_at,
                refreshed_at: session.refreshed_at,
                aal: session.aal.as_str().to_owned(),
                user_agent: session.user_agent,
            })
            .collect();
        Ok(Json(OwnSessions { sessions }))
    }

    /// End one of the signed-in user's sessions.
    #[oai(
        path = "/sessions/:id",
        method = "delete",
        operation_id = "auth_end_session"
    )]
    async fn end(&self, auth: Uses<&Auth>, caller: Bearer, id: Path<String>) -> AuthResult<Empty> {
        let id = parse_uuid(&id.0, "session_id")?;
        auth.end_session(caller.0, id).await?;
        Ok(Json(Empty {}))
    }
}
