//! Signing out: this session, the others, or all.

use serde_json::json;

use super::audit::{self, Actor};
use super::error::{AuthError, Kind, Result, reject};
use super::session::insufficient;
use super::{Auth, SignedInUser};
use crate::domain::account::Session;
use crate::store::sessions;

/// Which sessions end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of the user's.
    Global,
    /// The one that asks.
    Local,
    /// All but the one that asks.
    Others,
}

impl Scope {
    /// Reads the query's word; nothing means `global`.
    ///
    /// # Errors
    /// `validation_failed` for other words.
    pub fn parse(word: Option<&str>) -> Result<Self> {
        match word {
            None | Some("" | "global") => Ok(Self::Global),
            Some("local") => Ok(Self::Local),
            Some("others") => Ok(Self::Others),
            Some(_) => reject(AuthError::validation(
                "Unsupported logout scope: use global, local or others",
            )),
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Local => "local",
            Self::Others => "others",
        }
    }
}

impl Auth {
    /// Ends sessions; their access tokens die with them. A session that has not shown the user's second factor ends itself alone: whoever has the password only must
    /// not put the owner out.
    ///
    /// # Errors
    /// 422 `insufficient_aal`: of a 401 or 403 the public client would make "signed out", with the session still open. What the store says.
    pub async fn sign_out(&self, caller: SignedInUser, scope: Scope) -> Result<()> {
        let now = self.clock.now();
        self.write(move |conn| {
            let caller = caller.reload(conn, now)?;
            if scope != Scope::Local && caller.lacks_second_factor() {
                return reject(insufficient().with_kind(Kind::Unprocessable));
            }
            let (user, session) = (&caller.user.id, &caller.session.id);
            match scope {
                Scope::Global => sessions::end_all(conn, user)?,
                Scope::Local => usize::from(sessions::end(conn, session)?),
                Scope::Others => sessions::end_others(conn, user, session)?,
            };
            let detail = [("scope", json!(scope.word()))];
            audit::record(
                conn,
                "sign_out",
                Actor::User(user),
                Some(user),
                &detail,
                now,
            )
        })
        .await
    }

    /// The user's own sessions, the newest first.
    ///
    /// # Errors
    /// What the store says.
    pub async fn list_sessions(&self, caller: &SignedInUser) -> Result<Vec<Session>> {
        let user_id = caller.user.id.clone();
        let now = self.clock.now();
        let auth = self.clone();
        self.read(move |conn| {
            let mut sessions = sessions::of_user(conn, &user_id)?;
            sessions.retain(|session| !auth.is_over(session, now));
            Ok(sessions)
        })
        .await
    }

    /// Ends one of the user's own sessions.
    ///
    /// # Errors
    /// 404 `session_not_found` for an unknown one or another user's; 422 `insufficient_aal` for another session, where a second factor was not shown.
    pub async fn end_session(&self, caller: SignedInUser, id: String) -> Result<()> {
        let now = self.clock.now();
        self.write(move |conn| {
            let caller = caller.reload(conn, now)?;
            if id != caller.session.id && caller.lacks_second_factor() {
                return reject(insufficient().with_kind(Kind::Unprocessable));
            }
            let user = &caller.user.id;
            let own = sessions::by_id(conn, &id)?.is_some_and(|session| &session.user_id == user);
            if !own {
                return reject(AuthError::new(
                    Kind::Missing,
                    "session_not_found",
                    "Session not found",
                ));
            }
            sessions::end(conn, &id)?;
            let detail = [("session_id", json!(id))];
            audit::record(
                conn,
                "session_ended",
                Actor::User(user),
                Some(user),
                &detail,
                now,
            )
        })
        .await
    }
}
