//! Sign-out: the current session, the others, or all.

use serde_json::json;

use crate::error::{AuthError, Kind, Result, reject};
use crate::{Auth, SignedInUser};
use domain::account::Session;
use store::accounts::sessions;

domain::text_enum! {
    /// Which sessions end.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Scope {
        /// All sessions of the user.
        Global = "global",
        /// The current session.
        Local = "local",
        /// All but the current session.
        Others = "others",
    }
}

impl Scope {
    /// Reads the query parameter; absent means `global`. Errors: `validation_failed` for other
    /// values.
    pub fn read(value: Option<&str>) -> Result<Self> {
        let unknown = || {
            AuthError::validation("Unsupported logout scope: use global, local or others").into()
        };
        match value {
            None | Some("") => Ok(Self::Global),
            Some(value) => Self::parse(value).ok_or_else(unknown),
        }
    }
}

impl Auth {
    /// Ends sessions and thereby their access tokens. A session at AAL1 of a user with a second
    /// factor can end only itself: a stolen password must not sign the owner out. Errors: 422
    /// `insufficient_aal`: the public client treats a 401 or 403 as "signed out" although the
    /// session is still open.
    pub async fn sign_out(&self, caller: SignedInUser, scope: Scope) -> Result<()> {
        self.change(move |tx| {
            let conn = tx.conn;
            let caller = caller.reload(tx)?;
            if scope != Scope::Local {
                caller.require_second_factor(Kind::Unprocessable)?;
            }
            let (user, session) = (&caller.user.id, &caller.session.id);
            match scope {
                Scope::Global => sessions::end_all(conn, user)?,
                Scope::Local => usize::from(sessions::end(conn, session)?),
                Scope::Others => sessions::end_others(conn, user, session)?,
            };
            let detail = [("scope", json!(scope.as_str()))];
            tx.record_own("sign_out", user, &detail)
        })
        .await
    }

    /// The caller's sessions, newest first.
    pub async fn list_sessions(&self, caller: &SignedInUser) -> Result<Vec<Session>> {
        let user_id = caller.user.id.clone();
        let now = self.clock.now();
        let auth = self.clone();
        self.read(move |conn| {
            let mut sessions = sessions::of_user(conn, &user_id)?;
            sessions.retain(|session| !auth.is_expired(session, now));
            Ok(sessions)
        })
        .await
    }

    /// Ends one of the caller's sessions. Errors: 404 `session_not_found` for an unknown one or
    /// another user's; 422 `insufficient_aal` for another session if the second factor was not
    /// used.
    pub async fn end_session(&self, caller: SignedInUser, id: String) -> Result<()> {
        self.change(move |tx| {
            let conn = tx.conn;
            let caller = caller.reload(tx)?;
            if id != caller.session.id {
                caller.require_second_factor(Kind::Unprocessable)?;
            }
            let user = &caller.user.id;
            let own = sessions::by_id(conn, &id)?.is_some_and(|session| &session.user_id == user);
            if !own {
                return reject(AuthError::NO_SUCH_SESSION);
            }
            sessions::end(conn, &id)?;
            let detail = [("session_id", json!(id))];
            tx.record_own("session_ended", user, &detail)
        })
        .await
    }
}
