//! Purposes of account emails, with their slots, link types and session methods.

use domain::account::account_email::AccountEmailKind;
use store::accounts::Sent;
use store::accounts::one_time_tokens::OneTimeToken;

/// The purpose of an account email.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Confirm a new account's address.
    Signup,
    /// The same, requested by a sign-in with a code: a password set by an earlier sign-up is
    /// dropped.
    SignupByCode,
    /// Accept an invitation.
    Invite,
    /// Choose a new password.
    Recovery,
    /// Sign in without a password.
    Magiclink,
    /// Change the address: confirmation by the current address.
    EmailChangeCurrent,
    /// Change the address: confirmation by the new address.
    EmailChangeNew,
    /// Reauthenticate before a password change.
    Reauthentication,
}

impl Purpose {
    /// The slot. A new token replaces the others of its slot.
    pub(crate) const fn slot(self) -> &'static str {
        match self {
            Self::Signup | Self::SignupByCode | Self::Invite => "confirmation",
            Self::Recovery | Self::Magiclink => "recovery",
            Self::EmailChangeCurrent => "email_change_current",
            Self::EmailChangeNew => "email_change_new",
            Self::Reauthentication => "reauthentication",
        }
    }

    /// The value of the `kind` column.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::SignupByCode => "signup_by_code",
            Self::Invite => "invite",
            Self::Recovery => "recovery",
            Self::Magiclink => "magiclink",
            Self::EmailChangeCurrent => "email_change_current",
            Self::EmailChangeNew => "email_change_new",
            Self::Reauthentication => "reauthentication",
        }
    }

    /// Parses the `kind` column.
    pub(crate) fn of(token: &OneTimeToken) -> Self {
        let all = [
            Self::Signup,
            Self::SignupByCode,
            Self::Invite,
            Self::Recovery,
            Self::Magiclink,
            Self::EmailChangeCurrent,
            Self::EmailChangeNew,
        ];
        all.into_iter()
            .find(|purpose| purpose.as_str() == token.kind)
            .unwrap_or(Self::Reauthentication)
    }

    /// The `type` in links and in `verification_type`.
    pub const fn link_type(self) -> &'static str {
        match self {
            Self::Signup | Self::SignupByCode => "signup",
            Self::Invite => "invite",
            Self::Recovery => "recovery",
            Self::Magiclink => "magiclink",
            Self::EmailChangeCurrent | Self::EmailChangeNew => "email_change",
            Self::Reauthentication => "reauthentication",
        }
    }

    /// The authentication method of a session opened by this email (auth API, section 2).
    pub(crate) const fn method(self) -> &'static str {
        match self {
            Self::Signup | Self::SignupByCode => "email/signup",
            other => other.link_type(),
        }
    }

    /// The kind of email that carries it.
    pub(crate) const fn email_kind(self) -> AccountEmailKind {
        match self {
            Self::Signup | Self::SignupByCode => AccountEmailKind::Signup,
            Self::Invite => AccountEmailKind::Invite,
            Self::Recovery => AccountEmailKind::Recovery,
            Self::Magiclink => AccountEmailKind::Magiclink,
            Self::EmailChangeCurrent => AccountEmailKind::EmailChangeCurrent,
            Self::EmailChangeNew => AccountEmailKind::EmailChangeNew,
            Self::Reauthentication => AccountEmailKind::Reauthentication,
        }
    }

    /// Which timestamp of the user the email updates.
    pub(crate) const fn sent(self) -> Sent {
        match self {
            Self::Signup | Self::SignupByCode | Self::Invite => Sent::Confirmation,
            Self::Recovery | Self::Magiclink => Sent::Recovery,
            Self::EmailChangeCurrent | Self::EmailChangeNew => Sent::EmailChange,
            Self::Reauthentication => Sent::Reauthentication,
        }
    }
}
