//! Every setting of `config.toml` has a test.
//!
//! `SETTING_TESTS` lists for each setting the path of a test that changes it from its default and
//! observes the effect through the public interface. To add a setting, write that test where the
//! behavior is tested (or in the file of its section here) and add the row. A setting without a row
//! fails, and so does a row whose test does not exist or is ignored.

mod auth;
mod company;
pub mod config;
mod limits;
mod mail;
mod server;

use std::collections::BTreeSet;
use std::process::Command;

use ::config::Config;
use toml::Table;

use crate::settings::config::keys;

/// One setting and its test per line.
const SETTING_TESTS: &str = "\
company.name                      settings::company::every_company_fact_is_shown
company.legal_name                settings::company::every_company_fact_is_shown
company.phone                     settings::company::every_company_fact_is_shown
company.email                     settings::company::every_company_fact_is_shown
company.media_email               settings::company::every_company_fact_is_shown
company.street                    settings::company::every_company_fact_is_shown
company.city                      settings::company::every_company_fact_is_shown
company.region                    settings::company::every_company_fact_is_shown
company.postal_code               settings::company::every_company_fact_is_shown
company.hours                     settings::company::every_company_fact_is_shown
company.time_zone                 inbox::list::filters::a_day_of_a_filter_is_one_of_the_companys_time_zone
company.licenses                  pages::seo::company_facts::a_license_is_shown_only_if_it_is_configured
desk.answer_hours                 inbox::list::what_needs_attention_begins_with_emergencies_then_what_is_overdue_then_the_rest
desk.emergency_minutes            inbox::list::what_needs_attention_begins_with_emergencies_then_what_is_overdue_then_the_rest
desk.next_answer_hours            inbound_mail::conversation::an_overdue_message_is_escalated_like_a_new_request_by_its_own_setting
server.listen                     settings::server::the_listening_address_is_a_setting
server.base_url                   server::process::links_in_emails_use_the_listen_address_unless_base_url_is_set
server.trusted_proxies            settings::server::only_a_trusted_proxys_forwarded_address_is_used
server.redirects                  pages::redirects::a_noncanonical_path_is_redirected_once_also_to_another_site
server.tls_cert                   server::tls::with_a_certificate_the_site_speaks_tls_and_http_2
server.tls_key                    server::tls::with_a_certificate_the_site_speaks_tls_and_http_2
server.tls_acme                   server::acme::the_site_starts_without_the_authority_and_orders_its_certificate_when_it_answers
server.acme_directory             server::acme::the_site_starts_without_the_authority_and_orders_its_certificate_when_it_answers
server.acme_ca_file               server::acme::the_site_starts_without_the_authority_and_orders_its_certificate_when_it_answers
server.acme_domains               server::acme::the_site_starts_without_the_authority_and_orders_its_certificate_when_it_answers
server.redirect_listen            server::tls::with_a_certificate_plain_http_is_redirected_to_the_site_and_gets_nothing_else
server.metrics_listen             server::tls::the_metrics_count_requests_and_connections
server.access_log                 server::access_log::the_access_log_has_one_line_per_request_without_personal_data
server.log_format                 settings::server::the_log_is_text_or_json_and_names_the_missing_trusted_proxy_once
server.shutdown_seconds           settings::server::a_shutdown_waits_for_a_slow_request_up_to_the_timeout
desk.ad_conversions               offers::conversions::conversions_are_not_given_away_unless_the_setting_allows_it
limits.form_max                   settings::limits::form_posts_are_limited_within_a_window
limits.form_window_ms             settings::limits::form_posts_are_limited_within_a_window
limits.api_per_minute             server::limits::a_client_over_its_limit_is_rejected_on_every_call
limits.sign_in_per_minute         auth::sign_in::sign_ins_of_one_client_are_rate_limited
limits.account_failures_per_hour  settings::limits::failed_sign_ins_per_account_are_limited
limits.mail_interval_seconds      settings::limits::the_interval_between_emails_of_a_kind_is_a_setting
auth.session_idle_seconds         auth::refresh::a_session_ends_after_its_idle_time_and_its_maximum_age
auth.session_absolute_seconds     auth::refresh::a_session_ends_after_its_idle_time_and_its_maximum_age
auth.signup                       auth::signup::with_autoconfirm_a_sign_up_creates_a_session
auth.autoconfirm                  auth::signup::with_autoconfirm_a_sign_up_creates_a_session
auth.require_factor               auth::factors::assurance_levels::with_required_factors_an_admin_without_one_can_only_enroll
auth.redirect_urls                auth::email_tokens::links::links_redirect_only_to_the_site_and_to_allowed_urls
auth.password_min_length          settings::auth::the_length_of_a_password_is_a_setting
auth.audit_days                   settings::auth::the_retention_of_audit_rows_is_a_setting
auth.providers                    auth::id_tokens::keys_are_cached_ten_minutes_and_fetched_at_most_once_a_minute
auth.sso                          auth::oauth_flows::providers::sso_redirects_to_the_companys_provider_and_needs_no_sign_up
auth.web3.ethereum                settings::auth::wallet_sign_in_is_enabled_per_chain
auth.web3.solana                  settings::auth::wallet_sign_in_is_enabled_per_chain
mail.from                         mail::emails::sender_and_recipients_are_settings
mail.report_to                    mail::reports::the_figures_of_the_last_week_are_sent_on_monday_morning_once
mail.to                           mail::emails::sender_and_recipients_are_settings
mail.acknowledge                  mail::acknowledgements::no_acknowledgement_is_sent_if_the_setting_is_off_or_the_request_is_held
mail.smtp_host                    mail::delivery::an_email_arrives_once_despite_every_temporary_error
mail.smtp_port                    mail::delivery::an_email_arrives_once_despite_every_temporary_error
mail.smtp_security                mail::tls::a_mail_server_with_a_private_certificate_authority_is_trusted_if_it_is_configured
mail.smtp_ca_file                 mail::tls::a_mail_server_with_a_private_certificate_authority_is_trusted_if_it_is_configured
mail.smtp_user                    settings::mail::user_and_password_are_sent_to_the_mail_server
mail.smtp_password                settings::mail::user_and_password_are_sent_to_the_mail_server
mail.smtp_password_file           settings::mail::user_and_password_are_sent_to_the_mail_server
mail.dkim_selector                cli::check::online::online_the_mail_server_its_domain_and_the_public_url_are_checked
mail.timeout_seconds              mail::delivery::a_late_reply_is_not_taken_for_the_reply_to_the_next_email
mail.single_notices               on_call::bounds::beyond_a_number_of_emails_that_is_a_setting_the_office_gets_a_list_a_minute
mail.give_up_hours                mail::delivery::retries::the_time_for_which_an_email_is_retried_is_a_setting
mail.inbound.address              inbound_mail::settings::answers_go_to_the_signed_address_only_if_there_is_a_mailbox_for_them
mail.inbound.authserv_id          inbound_mail::settings::senders_are_verified_by_the_server_that_is_named
mail.retry_seconds                mail::delivery::retries::a_server_that_is_down_is_retried_with_growing_delays
mail.inbound.host            mail::mailbox::each_message_is_received_once_and_in_order_across_restarts
mail.inbound.port            mail::mailbox::each_message_is_received_once_and_in_order_across_restarts
mail.inbound.user            mail::mailbox::each_message_is_received_once_and_in_order_across_restarts
mail.inbound.password        mail::mailbox::each_message_is_received_once_and_in_order_across_restarts
mail.inbound.password_file   mail::mailbox::the_password_can_be_in_a_file
mail.inbound.ca_file         mail::mailbox::a_wrong_folder_and_an_unknown_certificate_are_named
mail.inbound.folder          mail::mailbox::a_wrong_folder_and_an_unknown_certificate_are_named
mail.inbound.done_folder         mail::mailbox::read_messages_are_moved_if_a_folder_is_named
files.to                          storage::bucket::files_in_a_bucket_are_stored_read_and_deleted_as_on_the_disk
files.reserve_mb                  storage::disk::below_the_reserve_files_are_refused_and_requests_are_not
files.client_mb_per_day           storage::quota::a_network_sends_so_many_bytes_a_day
files.mb_per_day                  storage::quota::all_networks_together_send_so_many_bytes_a_day
files.clamd                       storage::scans::an_infected_file_is_stored_but_never_handed_out
files.clamd_seconds               storage::scans::a_slow_file_holds_no_other_up_and_is_given_up_in_the_end
data.dir                          cli::commands::outbox_lists_undelivered_emails_and_retries_them
data.request_reserve_mb           storage::full_disk::with_the_disk_full_of_anything_else_requests_are_stored_in_their_reserve
data.min_free_mb                  data_folder::too_little_free_space_is_a_fault
data.replicated                   database::replication::with_litestream_the_log_of_the_database_is_left_to_it
alarms.chain                     on_call::alarms::the_chain_is_a_setting
alarms.working_hours             on_call::alarms::an_overdue_request_is_told_within_working_hours
alarms.test                      on_call::alarms::a_weekly_test_that_nobody_acknowledges_is_a_problem
phone.url                        on_call::phone::a_call_says_what_it_is_about_and_key_1_acknowledges
phone.account                    on_call::phone::a_call_says_what_it_is_about_and_key_1_acknowledges
phone.secret_file                on_call::phone::a_call_says_what_it_is_about_and_key_1_acknowledges
phone.from                       on_call::phone::a_call_says_what_it_is_about_and_key_1_acknowledges
phone.sms                        on_call::phone::a_text_message_is_answered_with_1
outgoing.allow                   on_call::webhooks::addresses_inside_and_unknown_events_are_refused
backup.to                        backup::schedule::the_server_backs_up_and_proves_by_itself_and_tells_of_a_failure_once_a_day
backup.every_hours               backup::schedule::the_server_backs_up_and_proves_by_itself_and_tells_of_a_failure_once_a_day
backup.key_file                  backup::schedule::scheduled_backups_are_sealed_with_the_key_of_the_settings
s3.endpoint                       storage::s3_signing::requests_are_signed_with_the_key_of_the_settings
s3.region                         storage::s3_signing::requests_are_signed_with_the_key_of_the_settings
s3.access_key_id                  storage::s3_signing::requests_are_signed_with_the_key_of_the_settings
s3.secret_access_key              storage::s3_signing::requests_are_signed_with_the_key_of_the_settings
s3.secret_access_key_file         storage::s3_signing::the_secret_key_can_be_in_a_file
retention.closed_days            requests::person::closed_requests_are_deleted_after_their_time
";

#[test]
fn every_setting_has_a_test() {
    let defaults = Table::try_from(Config::default()).unwrap();
    let settings: BTreeSet<_> = keys(&defaults, "").into_iter().collect();
    let rows: Vec<_> = SETTING_TESTS
        .lines()
        .map(|row| row.split_once(' ').unwrap())
        .map(|(key, test)| (key.to_owned(), test.trim()))
        .collect();
    let tested: BTreeSet<_> = rows.iter().map(|(key, _)| key.clone()).collect();
    assert_eq!(tested.len(), rows.len(), "a setting has two rows");
    let without: Vec<_> = settings.difference(&tested).collect();
    assert!(
        without.is_empty(),
        "add a test of {without:?} to `SETTING_TESTS`"
    );
    let unknown: Vec<_> = tested.difference(&settings).collect();
    assert!(unknown.is_empty(), "no such setting: {unknown:?}");

    let (tests, ignored) = (list_tests(&[]), list_tests(&["--ignored"]));
    for (key, test) in rows {
        assert!(tests.contains(test), "{key}: there is no test {test}");
        assert!(!ignored.contains(test), "{key}: {test} is ignored");
    }
}

/// The names of the tests in this binary.
fn list_tests(arguments: &[&str]) -> BTreeSet<String> {
    let mut program = Command::new(std::env::current_exe().unwrap());
    let list = program
        .args(["--list", "--format", "terse"])
        .args(arguments);
    let list = String::from_utf8(list.output().unwrap().stdout).unwrap();
    let tests = list.lines().filter_map(|line| line.strip_suffix(": test"));
    tests.map(ToOwned::to_owned).collect()
}
