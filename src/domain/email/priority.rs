//! The order in which emails are sent.

/// Send order of emails: those a user is waiting for, then emergencies, then the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// An email of the authentication service, or a reply to a visitor.
    Account = 0,
    /// The notice of a quote request for an immediate call, or of an overdue request.
    Emergency = 1,
    /// Any other notice.
    Normal = 2,
}

impl Priority {
    /// Every priority, most urgent first.
    pub const ALL: [Self; 3] = [Self::Account, Self::Emergency, Self::Normal];

    /// Its index in `ALL`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its value in the database.
    pub const fn rank(self) -> u8 {
        self as u8
    }
}
