//! The groups of calls in the API description.

use poem_openapi::Tags;

/// The group of calls in the API description.
#[derive(Tags)]
pub(crate) enum Tag {
    /// The inbox: quote requests and contact messages. Needs an admin's access token.
    Desk,
    /// Replies and their templates, and emails of customers: those that belong to no request, and
    /// the messages of one. Needs an admin's access token.
    Emails,
    /// The site's content: drafts, preview, publishing. Needs an admin's access token.
    Site,
    /// Who is on call, alarms, and how people are notified. Needs an admin's access token.
    OnCall,
    /// Offers with a price, and the rates that they are made with.
    Offers,
    /// What was viewed, asked, answered, offered and won in a period. Needs an admin's access token.
    Figures,
    /// Other systems that are notified of requests. Needs an admin's access token.
    Webhooks,
    /// The dashboard's calls. Needs an admin's access token.
    AdminApi,
    /// The public pages' calls.
    Visitors,
    /// For the operator's supervisor and load balancer.
    Operations,
    /// Signing in and out, and changing one's own account.
    Authentication,
    /// Account administration by admins.
    Accounts,
}
