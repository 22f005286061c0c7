//! Purposes of account emails, with their slots, link types and session methods.

use domain::account::account_email::AccountEmailKind;
use store::accounts::Sent;
use store::accounts::one_time_tokens::OneTimeToken;

domain::text_enum! {
    /// The purpose of an account email.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Purpose {
        /// Confirm a new account's address.
        Signup = "signup",
        /// The same, requested by a sign-in with a code: a password set by an earlier sign-up is
        /// dropped.
        SignupByCode = "signup_by_code",
        /// Accept an invitation.
        Invite = "invite",
        /// Choose a new password.
        Recovery = "recovery",
        /// Sign in without a password.
        Magiclink = "magiclink",
        /// Change the address: confirmation by the current address.
        EmailChangeCurrent = "email_change_current",
        /// Change the address: confirmation by the new address.
        EmailChangeNew = "email_change_new",
        /// Reauthenticate before a password change.
        Reauthentication = "reauthentication",
    }
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

    /// Parses the `kind` column.
    pub(crate) fn of(token: &OneTimeToken) -> Self {
        Self::parse(&token.kind).unwrap_or(Self::Reauthentication)
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
