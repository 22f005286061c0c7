//! Authorizes calls of the product's own API: a handler takes a `Desk`, an `Admin` or a
//! `RecentAdmin`. The role is read on each call; a token alone grants nothing.

use std::ops::Deref;

use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Request};

use super::bearer::{bearer_extractor, identify};
use auth::{Error, SignedInUser};
use domain::account::Role;
use domain::clock::Time;
use domain::request::due_time::AnswerTimes;
use http::request::client_address::Client;
use http::request::permissions::{ADMIN, DESK};
use http::request::problem::Problem;
use http::{AppState, Part};
use store::Store;
use store::accounts::actor::Actor;

/// A call of a user who works on requests, at `aal2` if the account has a second factor: who calls,
/// the database, the promised times, and the part of the application that the call touches beside
/// them. 401 without a valid token, 403 without the rights (specification section 6).
pub struct Desk<P = ()> {
    pub store: Store,
    pub times: AnswerTimes,
    /// Who calls.
    pub caller: SignedInUser,
    client: Client,
    /// When the call came.
    pub now: Time,
    part: P,
}

/// The same of an admin.
pub struct Admin<P = ()>(Desk<P>);

/// The same of an admin who has signed in recently: for what cannot be undone, or discloses
/// everything.
pub struct RecentAdmin<P = ()>(Desk<P>);

bearer_extractor!(Desk<P>, async |request: &'a Request| Desk::open(
    request, DESK
)
.await);
bearer_extractor!(Admin<P>, async |request: &'a Request| {
    Desk::open(request, ADMIN).await.map(Admin)
});
bearer_extractor!(RecentAdmin<P>, async |request: &'a Request| {
    let desk = Desk::open(request, ADMIN).await?;
    let recent = AppState::of(request)?
        .auth
        .require_recent_sign_in(&desk.caller);
    recent.map_err(forbidden)?;
    Ok(RecentAdmin(desk))
});

impl<'a, P: Part<'a>> Desk<P> {
    /// The desk of a caller with one of these roles.
    async fn open(request: &'a Request, roles: &[Role]) -> poem::Result<Self> {
        let caller = identify(request).await.map_err(unauthorized)?;
        let app = AppState::of(request)?;
        app.auth.require_role(&caller, roles).map_err(forbidden)?;
        let client = Client::of(request)?;
        app.page_views.mark_office(client.address);
        Ok(Self {
            store: app.store.clone(),
            times: app.answer_times,
            caller,
            client,
            now: app.clock.now(),
            part: P::of(app),
        })
    }
}

impl<P> Desk<P> {
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

impl<P> Deref for Desk<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.part
    }
}

impl<P> Deref for Admin<P> {
    type Target = Desk<P>;

    fn deref(&self) -> &Desk<P> {
        &self.0
    }
}

impl<P> Deref for RecentAdmin<P> {
    type Target = Desk<P>;

    fn deref(&self) -> &Desk<P> {
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
