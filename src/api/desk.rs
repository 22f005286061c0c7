//! Authorizes calls of the product's own API: a handler takes a `Desk`, an `Admin` or a
//! `RecentAdmin`. The role is read on each call; a token alone grants nothing.

use std::ops::Deref;
use std::sync::Arc;

use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Request};

use super::bearer::{bearer_extractor, identify};
use auth::{Error, SignedInUser};
use domain::account::Role;
use domain::clock::Time;
use http::AppState;
use http::request::client_address::Client;
use http::request::permissions::{ADMIN, DESK};
use http::request::problem::Problem;
use store::accounts::actor::Actor;

/// The application for a call of a user who works on requests, at `aal2` if the account has a second
/// factor. 401 without a valid token, 403 without the rights (specification section 6).
pub struct Desk {
    pub app: Arc<AppState>,
    /// Who calls.
    pub caller: SignedInUser,
    client: Client,
    /// When the call came.
    pub now: Time,
}

/// The same of an admin.
pub struct Admin(Desk);

/// The same of an admin who has signed in recently: for what cannot be undone, or discloses
/// everything.
pub struct RecentAdmin(Desk);

bearer_extractor!(Desk, async |request: &'a Request| Desk::open(request, DESK)
    .await);
bearer_extractor!(Admin, async |request: &'a Request| {
    Desk::open(request, ADMIN).await.map(Admin)
});
bearer_extractor!(RecentAdmin, async |request: &'a Request| {
    let desk = Desk::open(request, ADMIN).await?;
    let recent = desk.auth.require_recent_sign_in(&desk.caller);
    recent.map_err(forbidden)?;
    Ok(RecentAdmin(desk))
});

impl Desk {
    /// The desk of a caller with one of these roles.
    async fn open(request: &Request, roles: &[Role]) -> poem::Result<Self> {
        let caller = identify(request).await.map_err(unauthorized)?;
        let Some(app) = request.data::<Arc<AppState>>() else {
            return Err(StatusCode::INTERNAL_SERVER_ERROR.into());
        };
        app.auth.require_role(&caller, roles).map_err(forbidden)?;
        let client = Client::of(request)?;
        app.page_views.mark_office(client.address);
        Ok(Self {
            app: app.clone(),
            caller,
            client,
            now: app.clock.now(),
        })
    }

    /// The caller's id.
    pub fn me(&self) -> String {
        self.caller.user.id.clone()
    }

    /// Who changes something.
    pub fn actor(&self) -> Actor {
        Actor {
            user_id: self.me(),
            client: self.client.key.clone(),
        }
    }
}

impl Deref for Desk {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.app
    }
}

impl Deref for Admin {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.0
    }
}

impl Deref for RecentAdmin {
    type Target = Desk;

    fn deref(&self) -> &Desk {
        &self.0
    }
}

fn forbidden(error: Error) -> poem::Error {
    match error {
        Error::Rejected(rejected) if rejected.code == "insufficient_aal" => Problem::new(
            StatusCode::FORBIDDEN,
            "Your second factor is needed for this.",
        )
        .with_title("Second factor required")
        .with_code(rejected.code)
        .into(),
        Error::Rejected(rejected) if rejected.code == "reauthentication_needed" => Problem::new(
            StatusCode::FORBIDDEN,
            "For this, your last sign-in must be at most ten minutes old. Enter your password or \
             a code again.",
        )
        .with_title("Confirm that it is you")
        .with_code(rejected.code)
        .into(),
        _ => Problem::new(
            StatusCode::FORBIDDEN,
            "You don't have admin privileges for this.",
        )
        .into(),
    }
}

/// Maps a rejected token to 401 and a store failure to 500 or 503.
fn unauthorized(error: Error) -> poem::Error {
    match error {
        Error::Rejected(rejected) => {
            let problem = Problem::new(StatusCode::UNAUTHORIZED, rejected.message.into_owned());
            let mut response = problem.into_response();
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            poem::Error::from_response(response)
        }
        Error::Store(error) => Problem::from(error).into(),
        error @ Error::Internal(_) => {
            tracing::error!(%error, "the authentication service failed");
            StatusCode::INTERNAL_SERVER_ERROR.into()
        }
    }
}
