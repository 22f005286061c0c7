//! A restored folder is a drill: it changes nothing outside of itself until it is promoted.

mod documented;
mod moving;
mod promoted;

use std::fs;

use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::s3::TestBucket;

/// A production server whose files and backups are in a bucket, in which everything is two hours
/// old, and its commands.
async fn production(name: &str) -> (TestApp, Cli, TestBucket) {
    let bucket = TestBucket::create_old(name).await;
    let settings = bucket.settings();
    let (files, backups) = (bucket.address("files"), bucket.address("backups"));
    let app = TestApp::with(|config| {
        config.files.to = files;
        config.backup.to = backups;
        config.s3 = settings;
    })
    .await;
    let cli = commands(&app, &bucket);
    (app, cli, bucket)
}

/// Commands with the settings of `app`, and a key of backups.
fn commands(app: &TestApp, bucket: &TestBucket) -> Cli {
    let cli = Cli::on_data_of(app);
    let data = fs::read_to_string(cli.path("config.toml")).unwrap();
    let (files, backups) = (&app.config.files.to, &app.config.backup.to);
    let text = format!(
        "{data}[server]\nacme_directory = \"http://127.0.0.1:1/\"\n[files]\nto = \"{files}\"\n\
         [backup]\nto = \"{backups}\"\nkey_file = \"backup.key\"\n{}secret_access_key_file = \
         \"secret\"\n",
        bucket.section()
    );
    fs::write(cli.path("config.toml"), text).unwrap();
    fs::write(cli.path("secret"), "test secret").unwrap();
    cli.run_ok(&["backup-key", "backup.key"]);
    cli
}

/// Every object of the bucket, with what it contains.
fn everything(bucket: &TestBucket) -> Vec<(String, Vec<u8>)> {
    let client = bucket.client();
    let found = client.list().unwrap().into_iter();
    let read = |name: String| {
        let bytes = client.get(&name).unwrap().to_vec();
        (name, bytes)
    };
    found.map(|object| read(object.name)).collect()
}
