//! What the signals look at: the texts of a submission and the circumstances of its visit.

/// The texts of a submission that signals look at, cleaned; empty where not given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Texts<'a> {
    pub first_name: &'a str,
    /// Family name.
    pub last_name: &'a str,
    /// Email address.
    pub email: &'a str,
    /// Phone number.
    pub phone: &'a str,
    pub company: &'a str,
    /// Where guards are wanted.
    pub location: &'a str,
    /// What the visitor writes.
    pub message: &'a str,
    /// The visitor asks for a call right away.
    pub is_urgent: bool,
}

/// What sent a form, by its `User-Agent`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Agent {
    /// A browser, as far as it says.
    #[default]
    Browser,
    /// A program that is no browser, such as one that uses the API.
    Program,
    /// A browser without a screen.
    HeadlessBrowser,
}

/// What is known of how the form was filled in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visit {
    /// The field that people do not see was filled in.
    pub trap_filled: bool,
    /// Time since the client first opened the form's page, if it did so lately.
    pub fill_millis: Option<i64>,
    /// It was posted without script, by a client that has not opened its page lately.
    pub is_unopened: bool,
    /// What sent it.
    pub agent: Agent,
    /// The raw texts contain HTML links or forum markup.
    pub has_markup: bool,
}

impl Agent {
    /// Reads a `User-Agent`. Those of browsers begin with `Mozilla/`.
    pub fn of(user_agent: Option<&str>) -> Self {
        let agent = user_agent.unwrap_or_default();
        match agent.starts_with("Mozilla/") {
            true if agent.contains("Headless") => Self::HeadlessBrowser,
            true => Self::Browser,
            false => Self::Program,
        }
    }
}
