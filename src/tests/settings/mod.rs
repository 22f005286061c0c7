//! Every setting of `config.toml` changes what the product does, and a test shows it.
//!
//! `PROOFS` has a row for each setting: its key, and the path of a test that changes the setting from
//! its default and sees another behavior through the public interface. To add a setting, write that
//! test where the behavior is tested (or in the file of its section here) and add the row: a setting
//! without a row, and a row whose test does not exist or is ignored, fail.

mod auth;
mod company;
mod limits;
mod mail;
mod server;

use std::collections::BTreeSet;
use std::process::Command;

use guardpost::config::Config;
use toml::Table;

use crate::config::keys;

/// A setting and the test that proves it, on each line.
const PROOFS: &str = "\
company.name                      settings::company::every_fact_of_the_company_is_shown
company.legal_name                settings::company::every_fact_of_the_company_is_shown
company.phone                     settings::company::every_fact_of_the_company_is_shown
company.email                     settings::company::every_fact_of_the_company_is_shown
company.media_email               settings::company::every_fact_of_the_company_is_shown
company.street                    settings::company::every_fact_of_the_company_is_shown
company.city                      settings::company::every_fact_of_the_company_is_shown
company.region                    settings::company::every_fact_of_the_company_is_shown
company.postal_code               settings::company::every_fact_of_the_company_is_shown
company.hours                     settings::company::every_fact_of_the_company_is_shown
company.licenses                  seo::a_licence_is_shown_where_there_is_one
server.listen                     settings::server::the_server_listens_where_it_is_told
server.base_url                   serving::links_in_mails_name_the_address_listened_on_unless_told_otherwise
server.trusted_proxies            settings::server::only_a_trusted_proxy_tells_clients_apart
server.redirects                  pages::a_path_in_the_wrong_spelling_is_redirected_once
server.tls_cert                   secure::with_a_certificate_the_site_speaks_tls_and_http_2
server.tls_key                    secure::with_a_certificate_the_site_speaks_tls_and_http_2
server.metrics_listen             secure::the_operator_can_count_what_happens
server.access_log                 access_log::the_access_log_has_a_line_for_each_request_and_nothing_personal
server.max_connections            connections::under_pressure_the_longest_idle_connection_gives_way_to_a_new_client_at_once
server.head_seconds               server::a_connection_that_says_nothing_is_dropped
server.idle_seconds               connections::pings_do_not_keep_an_idle_http2_connection_open
server.body_seconds               settings::server::a_body_has_its_time_and_no_more
server.shutdown_seconds           settings::server::a_stop_waits_for_a_slow_request_as_long_as_it_is_told
limits.form_max                   settings::limits::forms_are_limited_to_a_number_in_a_window
limits.form_window_ms             settings::limits::forms_are_limited_to_a_number_in_a_window
limits.api_per_minute             limits::a_client_whose_calls_are_used_up_is_refused_whatever_it_calls
limits.sign_in_per_minute         auth::sign_in::one_address_cannot_flood
limits.account_failures_per_hour  settings::limits::failed_sign_ins_to_an_account_run_out
limits.connections_per_client     connections::a_client_beyond_its_share_loses_its_own_longest_idle_connection
limits.body_budget_mib            bodies::bodies_beyond_the_budget_of_the_server_get_503_and_small_ones_still_fit
limits.body_budget_per_client_mib bodies::a_client_whose_unfinished_bodies_fill_its_share_gets_429_while_others_go_on
limits.mail_interval_seconds      settings::limits::the_next_mail_of_a_kind_waits
auth.access_token_seconds         settings::auth::an_access_token_lives_as_long_as_it_is_told
auth.refresh_reuse_seconds        settings::auth::a_used_refresh_token_is_answered_for_a_while
auth.session_idle_seconds         auth::refresh::a_session_ends_when_it_lies_idle_or_grows_old
auth.session_absolute_seconds     auth::refresh::a_session_ends_when_it_lies_idle_or_grows_old
auth.signup                       auth::signup::a_stranger_signs_up_confirms_and_signs_in
auth.autoconfirm                  auth::signup::with_autoconfirm_a_sign_up_is_a_sign_in
auth.require_factor               auth::factors::where_every_admin_needs_a_factor_one_without_can_only_enrol
auth.link_seconds                 settings::auth::a_mailed_code_works_as_long_as_it_is_told
auth.invite_seconds               settings::auth::an_invitation_works_as_long_as_it_is_told
auth.redirect_urls                auth::email_tokens::links_lead_to_the_site_and_to_listed_addresses_only
auth.password_min_length          settings::auth::passwords_are_judged_by_the_settings
auth.password_characters          settings::auth::passwords_are_judged_by_the_settings
auth.argon2_memory_kib            settings::auth::passwords_are_hashed_with_the_parameters_of_the_settings
auth.argon2_iterations            settings::auth::passwords_are_hashed_with_the_parameters_of_the_settings
auth.hashes_at_once               settings::auth::so_many_hashes_run_and_so_many_wait
auth.hashes_waiting               settings::auth::so_many_hashes_run_and_so_many_wait
auth.audit_days                   settings::auth::the_record_is_kept_for_days
auth.providers                    auth::id_tokens::a_good_token_opens_the_same_account_each_time
auth.sso                          auth::oauth_flows::a_companys_people_are_sent_to_its_provider_and_need_no_sign_up
auth.web3.ethereum                settings::auth::wallets_of_a_chain_sign_in_where_it_is_on
auth.web3.solana                  settings::auth::wallets_of_a_chain_sign_in_where_it_is_on
mail.from                         emails::the_settings_say_who_sends_and_who_is_told
mail.to                           emails::the_settings_say_who_sends_and_who_is_told
mail.smtp_host                    delivery::a_letter_arrives_once_after_everything_that_may_pass
mail.smtp_port                    delivery::a_letter_arrives_once_after_everything_that_may_pass
mail.smtp_security                smtp_tls::a_mail_server_with_a_certificate_of_our_own_authority_is_trusted_when_the_authority_is_named
mail.smtp_ca_file                 smtp_tls::a_mail_server_with_a_certificate_of_our_own_authority_is_trusted_when_the_authority_is_named
mail.smtp_user                    settings::mail::the_mail_server_is_told_user_and_password
mail.smtp_password                settings::mail::the_mail_server_is_told_user_and_password
mail.smtp_password_file           settings::mail::the_mail_server_is_told_user_and_password
mail.timeout_seconds              delivery::an_answer_that_comes_too_late_is_not_taken_for_the_next_letters
mail.give_up_hours                delivery::the_time_for_which_an_email_is_tried_is_a_setting
mail.retry_seconds                delivery::a_server_that_is_down_is_tried_with_growing_pauses
data.dir                          commands::operators_see_the_letters_that_have_not_left_and_have_them_tried_again
data.min_free_mb                 data_folder::a_disk_with_less_free_space_than_the_settings_ask_for_is_full
";

#[test]
fn every_setting_has_a_test_that_proves_it() {
    let defaults = Table::try_from(Config::default()).unwrap();
    let settings: BTreeSet<_> = keys(&defaults, "").into_iter().collect();
    let rows: Vec<_> = PROOFS
        .lines()
        .map(|row| row.split_once(' ').unwrap())
        .map(|(key, test)| (key.to_owned(), test.trim()))
        .collect();
    let proved: BTreeSet<_> = rows.iter().map(|(key, _)| key.clone()).collect();
    assert_eq!(proved.len(), rows.len(), "a setting has two rows");
    let without: Vec<_> = settings.difference(&proved).collect();
    assert!(without.is_empty(), "add a proof of {without:?} to `PROOFS`");
    let unknown: Vec<_> = proved.difference(&settings).collect();
    assert!(unknown.is_empty(), "no such setting: {unknown:?}");

    let (tests, ignored) = (listed(&[]), listed(&["--ignored"]));
    for (key, test) in rows {
        assert!(tests.contains(test), "{key}: there is no test {test}");
        assert!(!ignored.contains(test), "{key}: {test} is ignored");
    }
}

/// The tests of this program, as the test harness names them.
fn listed(arguments: &[&str]) -> BTreeSet<String> {
    let mut program = Command::new(std::env::current_exe().unwrap());
    let list = program
        .args(["--list", "--format", "terse"])
        .args(arguments);
    let list = String::from_utf8(list.output().unwrap().stdout).unwrap();
    let tests = list.lines().filter_map(|line| line.strip_suffix(": test"));
    tests.map(ToOwned::to_owned).collect()
}
