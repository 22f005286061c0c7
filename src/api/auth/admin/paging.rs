//! The pages of the list of users: the parameters of the query, the cursor, and the `Link` header.

use crate::auth::error_response::ErrorResponse;
use crate::auth::parameters::non_empty;
use auth::AuthError;
use domain::clock::Time;
use store::accounts::user_list::UserStart;

/// Default page size.
pub(super) const DEFAULT_PER_PAGE: u32 = 50;
/// Maximum page size.
pub(super) const MAX_PER_PAGE: u32 = 1000;

/// A number of the query; missing and empty mean the default.
pub(super) fn parse_positive(
    text: Option<String>,
    default: u32,
    max: u32,
    name: &str,
) -> Result<u32, ErrorResponse> {
    let Some(text) = non_empty(text) else {
        return Ok(default);
    };
    match text.parse() {
        Ok(parse_phone) if (1..=max).contains(&parse_phone) => Ok(parse_phone),
        _ => Err(AuthError::validation(format!("{name} is a number from 1 to {max}")).into()),
    }
}

/// The cursor of a page that starts after a user.
pub(super) fn cursor_text(start: &UserStart) -> Option<String> {
    match start {
        UserStart::After(at, id) => Some(format!("{at}_{id}")),
        UserStart::Page(_) => None,
    }
}

pub(super) fn parse_cursor(text: &str) -> Result<UserStart, ErrorResponse> {
    let after = text.split_once('_').and_then(|(at, id)| {
        let id = uuid::Uuid::try_parse(id).ok()?;
        Some(UserStart::After(Time::parse(at)?, id.to_string()))
    });
    after.ok_or_else(|| AuthError::validation("cursor is the next_cursor of a page").into())
}

/// The `Link` header as the client parses it: `page` is the first parameter (contract section 3).
pub(super) fn link_header(page: u32, per_page: u32, total: i64) -> String {
    let pages = (total + i64::from(per_page) - 1) / i64::from(per_page);
    let last = pages.max(1);
    let link = |page: i64, rel: &str| {
        format!("</auth/v1/admin/users?page={page}&per_page={per_page}>; rel=\"{rel}\"")
    };
    let next = (i64::from(page) < last).then(|| link(i64::from(page) + 1, "next"));
    next.into_iter()
        .chain([link(last, "last")])
        .collect::<Vec<_>>()
        .join(", ")
}
