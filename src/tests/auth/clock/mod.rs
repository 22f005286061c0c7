//! The clock is set back, or runs ahead and is corrected: nothing stored stays valid longer than
//! its rule says, and nothing is delayed.

mod requests;
mod sessions;
mod sign_in;

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;

use requests::{
    an_email_in_the_hands_of_a_dead_process, an_email_on_hold, the_same_form_without_a_key,
    the_window_of_submissions,
};
use sessions::{
    a_new_signing_key, a_refresh_token_that_was_used, an_idle_session, the_longest_session,
    tokens_of_a_session, what_is_kept_on_record,
};
use sign_in::{
    a_ban_for_years, a_challenge, a_code_for_a_browser, a_code_of_a_second_factor, a_mailed_link,
    a_new_place_is_known_after_a_sign_in, a_used_message_of_a_wallet, an_invitation,
    guesses_at_a_password, guesses_that_ran_out, the_interval_between_emails,
};

use crate::support::app::TestApp;

const MAX: &str = "max@guard.example";
const SECOND: i64 = 1000;
const HOUR: i64 = 3600 * SECOND;
const DAY: i64 = 24 * HOUR;

/// A sequence of clock changes.
const JUMPS: [(&str, &[i64]); 3] = [
    ("a day back", &[-DAY]),
    ("an hour back", &[-HOUR]),
    ("a day ahead and right again", &[DAY, -DAY]),
];

/// Applies a clock change; the server cleans up after each step, as it does every ten minutes.
struct Jump<'a> {
    app: &'a TestApp,
    steps: &'static [i64],
}

impl Jump<'_> {
    async fn apply(&self) {
        for step in self.steps {
            self.app.clock.advance(*step);
            self.app.auth.clean_up().await.unwrap();
        }
    }

    fn is_back(&self) -> bool {
        self.steps[0] < 0
    }
}

/// A stored value with a time, created before and checked after a clock change.
type Rule = for<'a> fn(Jump<'a>) -> LocalBoxFuture<'a, ()>;

/// One case of the table.
macro_rules! rule {
    ($name:ident) => {
        (stringify!($name), |jump| $name(jump).boxed_local())
    };
}

#[tokio::test]
async fn a_changed_clock_extends_no_stored_lifetime() {
    let rules: &[(&str, Rule)] = &[
        rule!(guesses_at_a_password),
        rule!(guesses_that_ran_out),
        rule!(a_new_place_is_known_after_a_sign_in),
        rule!(the_interval_between_emails),
        rule!(an_email_on_hold),
        rule!(an_email_in_the_hands_of_a_dead_process),
        rule!(a_mailed_link),
        rule!(an_invitation),
        rule!(a_code_for_a_browser),
        rule!(tokens_of_a_session),
        rule!(an_idle_session),
        rule!(the_longest_session),
        rule!(a_refresh_token_that_was_used),
        rule!(a_challenge),
        rule!(a_code_of_a_second_factor),
        rule!(a_new_signing_key),
        rule!(a_used_message_of_a_wallet),
        rule!(a_ban_for_years),
        rule!(the_window_of_submissions),
        rule!(the_same_form_without_a_key),
        rule!(what_is_kept_on_record),
    ];
    let mut broken = Vec::new();
    for (jump, steps) in JUMPS {
        for (name, rule) in rules {
            let app = TestApp::with(|config| {
                config.auth.signup = true;
                config.auth.web3.solana = true;
                config.mail.retry_seconds = 15;
            })
            .await;
            app.join(MAX).await;
            let walk = rule(Jump { app: &app, steps });
            let walked = std::panic::AssertUnwindSafe(walk).catch_unwind().await;
            if walked.is_err() {
                broken.push(format!("{name}, with the clock {jump}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}
