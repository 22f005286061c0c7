//! What mails are for: which slot a mail takes, what its link and its session are called.

use crate::domain::notice::AccountEmailKind;
use crate::store::accounts::Sent;
use crate::store::one_time_tokens::OneTimeToken;

/// What a mail is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Confirm a new account's address.
    Signup,
    /// The same, asked for by somebody who wants to sign in by code: a password set before by whoever signed up is dropped.
    SignupByCode,
    /// Accept an invitation.
    Invite,
    /// Choose a new password.
    Recovery,
    /// Sign in without a password.
    Magiclink,
    /// Change the address: the present one agrees.
    EmailChangeCurrent,
    /// Change the address: the new one agrees.
    EmailChangeNew,
    /// Still you?
    Reauthentication,
}

impl Purpose {
    /// The slot: what shares one outdates each other.
    pub(super) const fn slot(self) -> &'static str {
        match self {
            Self::Signup | Self::SignupByCode | Self::Invite => "confirmation",
            Self::Recovery | Self::Magiclink => "recovery",
            Self::EmailChangeCurrent => "email_change_current",
            Self::EmailChangeNew => "email_change_new",
            Self::Reauthentication => "reauthentication",
        }
    }

    /// The word in the row.
    pub(super) const fn word(self) -> &'static str {
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

    /// Reads the row's word.
    pub(super) fn of(token: &OneTimeToken) -> Self {
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
            .find(|purpose| purpose.word() == token.kind)
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

    /// The method by which a session says it was opened (contract section 2).
    pub(super) const fn method(self) -> &'static str {
        match self {
            Self::Signup | Self::SignupByCode => "email/signup",
            other => other.link_type(),
        }
    }

    /// The letter that carries it.
    pub(super) const fn letter(self) -> AccountEmailKind {
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

    /// Which mark the mail leaves on the user.
    pub(super) const fn sent(self) -> Sent {
        match self {
            Self::Signup | Self::SignupByCode | Self::Invite => Sent::Confirmation,
            Self::Recovery | Self::Magiclink => Sent::Recovery,
            Self::EmailChangeCurrent | Self::EmailChangeNew => Sent::EmailChange,
            Self::Reauthentication => Sent::Reauthentication,
        }
    }
}
