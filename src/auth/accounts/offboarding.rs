//! Commands for the role of a user, and for the account of one who leaves. The last admin who can
//! act is kept.

use super::ban::Ban;
use super::role::{ensure_another_admin, set_role};
use super::user_by_email;
use crate::audit::Actor;
use crate::error::Result;
use crate::{Auth, Transaction};
use domain::account::Role;
use domain::email::email_address::EmailAddress;
use store::accounts;
use store::inbox::changes;

impl Auth {
    /// Sets the role of a user. Without one, their requests are released. Returns the former role.
    /// Errors: `user_not_found`; `last_admin`.
    pub async fn set_role(&self, email: EmailAddress, role: Option<Role>) -> Result<Option<Role>> {
        self.change(move |tx| {
            let user = user_by_email(tx.conn, &email)?;
            set_role(tx, &user, role, Actor::Operator)
        })
        .await
    }

    /// Blocks a user from signing in and from using open sessions, or lifts that. Errors:
    /// `user_not_found`; `last_admin`.
    pub async fn suspend_user(&self, email: EmailAddress, ban: Ban) -> Result<()> {
        self.change(move |tx| {
            let user = user_by_email(tx.conn, &email)?;
            if ban.is_effective() {
                ensure_another_admin(tx, &user.id)?;
            }
            ban.set(tx, Actor::Operator, &user.id)
        })
        .await
    }

    /// Deletes a user with all sessions and factors, and releases their requests. Errors:
    /// `user_not_found`; `last_admin`.
    pub async fn remove_user(&self, email: EmailAddress) -> Result<()> {
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            let user = user_by_email(conn, &email)?;
            ensure_another_admin(tx, &user.id)?;
            changes::release_all(conn, &user.id, now)?;
            accounts::delete(conn, &user.id)?;
            let operator = Actor::Operator;
            tx.record("user_deleted", operator, Some(&user.id), &[])
        })
        .await
    }
}
