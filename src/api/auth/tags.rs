//! The groups of calls in the API description.

use poem_openapi::Tags;

#[derive(Tags)]
pub(super) enum Tag {
    /// Signing in and out, and changing one's own account.
    Authentication,
    /// Account administration by admins.
    Accounts,
}
