//! Loading of settings: the shipped file equals the defaults, and errors name the setting.

use config::Config;
use toml::{Table, Value};

use crate::support::cli_process::{Cli, CommandOutput, ServerProcess};

/// Loads settings from a file with this text and an environment.
pub fn load(text: &str, environment: &[(&str, &str)]) -> Result<Config, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let environment = environment
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Config::load(Some(file.path()), environment).map_err(|error| format!("{error:#}"))
}

/// Every key in `table`, as in `auth.web3.solana`.
pub fn keys(table: &Table, prefix: &str) -> Vec<String> {
    let below = |(key, value): (&String, &Value)| match value {
        Value::Table(table) if !table.is_empty() => keys(table, &format!("{prefix}{key}.")),
        _ => vec![format!("{prefix}{key}")],
    };
    table.iter().flat_map(below).collect()
}

const SHIPPED: &str = include_str!("../../../config.toml");

#[test]
fn the_shipped_file_contains_exactly_the_defaults() {
    assert_eq!(load(SHIPPED, &[]).unwrap(), Config::default());
}

#[test]
fn the_shipped_file_names_every_setting() {
    let mut shipped = keys(&SHIPPED.parse().unwrap(), "");
    let mut known = keys(&Table::try_from(Config::default()).unwrap(), "");
    for (section, secret) in [
        ("mail", "smtp_password"),
        ("mail.inbound", "password"),
        ("s3", "secret_access_key"),
    ] {
        assert!(
            SHIPPED.contains(&format!("# {secret} ")),
            "mentioned in a comment"
        );
        known.retain(|key| *key != format!("{section}.{secret}"));
    }
    shipped.sort();
    known.sort();
    assert_eq!(shipped, known);
}

#[test]
fn environment_variables_override_the_file() {
    let config = load(
        "[company]\nphone = \"(713) 555-0100\"\n[limits]\nform_max = 5\n",
        &[
            ("GUARDPOST_COMPANY__PHONE", "(713) 555-0199"),
            ("GUARDPOST_LIMITS__FORM_MAX", "7"),
            ("GUARDPOST_SERVER__TRUSTED_PROXIES", "[\"10.0.0.0/8\"]"),
            ("GUARDPOST_AUTH__WEB3__SOLANA", "true"),
            ("GUARDPOST_MAIL__SMTP_PASSWORD", "42"),
            ("UNRELATED", "x"),
        ],
    )
    .unwrap();
    assert_eq!(config.company.phone, "(713) 555-0199");
    assert_eq!(config.limits.form_max, 7);
    assert_eq!(config.server.trusted_proxies.len(), 1);
    assert!(config.auth.web3.solana);
    assert_eq!(config.mail.smtp_password.reveal(), "42");
    assert!(
        !format!("{config:?}").contains("42"),
        "secrets do not print"
    );
}

#[test]
fn every_list_can_be_set_by_a_variable_as_words_or_as_a_list() {
    let words = [
        ("server.trusted_proxies", ["10.0.0.0/8", "127.0.0.1/32"]),
        (
            "auth.redirect_urls",
            ["https://a.example/*", "https://b.example/in"],
        ),
        ("outgoing.allow", ["10.0.0.0/8", "127.0.0.1/32"]),
        (
            "server.acme_domains",
            ["guard.example", "shop.guard.example"],
        ),
        ("mail.to", ["one@a.example", "Two <two@a.example>"]),
        ("mail.report_to", ["one@a.example", "two@a.example"]),
    ];
    let tables = [
        (
            "auth.providers",
            r#"[{"id": "acme", "issuer": "https://id.example", "client_ids": ["a"]}]"#,
            r#"[{id = "acme", issuer = "https://id.example", client_ids = ["a"]}]"#,
        ),
        ("auth.sso", "[]", "[ ]"),
        (
            "alarms.chain",
            r#"[{"after_minutes": 0, "who": "on_call", "by": ["push"]}]"#,
            r#"[{after_minutes = 0, who = "on_call", by = ["push"]}]"#,
        ),
    ];
    let list = |key: &str, value: &str| {
        let (section, name) = key.split_once('.').unwrap();
        let variable = format!("GUARDPOST_{section}__{name}").to_uppercase();
        let config = load("", &[(&variable, value)]).unwrap_or_else(|error| panic!("{error}"));
        Table::try_from(config).unwrap()[section][name].clone()
    };
    for (key, words) in words {
        let expected = Value::from(words.to_vec());
        let [first, second] = words;
        for value in [
            format!("{first},{second}"),
            format!(" {first} , {second}, "),
            format!("[\"{first}\", \"{second}\"]"),
            format!("['{first}', '{second}']"),
        ] {
            assert_eq!(list(key, &value), expected, "{key}: {value}");
        }
        assert_eq!(list(key, first), Value::from(vec![first]), "{key}");
        assert_eq!(list(key, ""), Value::Array(vec![]), "{key}");
    }
    for (key, json, toml) in tables {
        assert_eq!(list(key, json), list(key, toml), "{key}");
    }

    let is_list = |value: &Value| matches!(value, Value::Array(_));
    let defaults = Table::try_from(Config::default()).unwrap();
    let sections = defaults
        .iter()
        .filter_map(|(name, value)| Some((name, value.as_table()?)));
    let mut lists: Vec<_> = sections
        .flat_map(|(section, table)| {
            let lists = table.iter().filter(|(_, value)| is_list(value));
            lists.map(move |(key, _)| format!("{section}.{key}"))
        })
        .collect();
    let mut tested: Vec<_> = words.map(|(key, _)| key.to_owned()).to_vec();
    tested.extend(tables.map(|(key, ..)| key.to_owned()));
    lists.sort();
    tested.sort();
    assert_eq!(lists, tested, "every list setting is tested");

    let error = load("", &[("GUARDPOST_MAIL__TO", "[one@a.example")]).unwrap_err();
    assert!(error.contains("GUARDPOST_MAIL__TO"), "{error}");
}

#[test]
fn an_empty_press_contact_falls_back_to_the_company_email() {
    let config = load("[company]\nmedia_email = \"\"\n", &[]).unwrap();
    assert_eq!(config.company.press_email(), config.company.email);
}

#[test]
fn without_a_base_url_the_origin_is_the_listening_address() {
    for (text, origin) in [
        ("", "http://127.0.0.1:8080"),
        ("listen = \"0.0.0.0:9000\"", "http://127.0.0.1:9000"),
        ("listen = \"192.0.2.7:80\"", "http://192.0.2.7:80"),
        ("listen = \"[::1]:9000\"", "http://[::1]:9000"),
        (
            "tls_cert = \"a.pem\"\ntls_key = \"b.pem\"",
            "https://127.0.0.1:8080",
        ),
        (
            "listen = \"0.0.0.0:9000\"\nbase_url = \"https://guard.example/\"",
            "https://guard.example",
        ),
        (
            "listen = \"0.0.0.0:9000\"\nbase_url = \"http://127.0.0.1:8080\"",
            "http://127.0.0.1:8080",
        ),
    ] {
        let config = load(&format!("[server]\n{text}\n"), &[]).unwrap();
        assert_eq!(config.server.origin(), origin, "{text}");
    }
}

#[test]
fn a_mistyped_setting_is_named_with_its_file_and_the_nearest_one() {
    for (text, expected) in [
        ("[company]\nphne = \"1\"\n", "did you mean `company.phone`?"),
        ("[compani]\n", "did you mean `company`?"),
        (
            "[mail]\nbase_url = \"https://a.example\"\n",
            "did you mean `server.base_url`?",
        ),
        (
            "[auth.web3]\nsolano = true\n",
            "did you mean `auth.web3.solana`?",
        ),
        ("[desk]\nturnips = 1\n", "setting `desk.turnips`"),
    ] {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let error = Config::load(Some(file.path()), std::iter::empty()).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains(expected), "{text}: {error}");
        let place = format!("in {}: there is no such setting", file.path().display());
        assert!(error.contains(&place), "{text}: {error}");
        assert_eq!(error.contains("did you mean"), !text.contains("turnips"));
    }
    let error = load("", &[("GUARDPOST_MAIL__SMTP_HSOT", "a")]).unwrap_err();
    let expected = "setting `mail.smtp_hsot` in the environment variable \
                    GUARDPOST_MAIL__SMTP_HSOT: there is no such setting; did you mean \
                    `mail.smtp_host`?";
    assert_eq!(error, expected);
}

#[test]
fn an_invalid_setting_is_reported_with_its_key() {
    let cases = [
        ("[company]\nfone = \"1\"\n", "fone"),
        ("[compani]\n", "compani"),
        ("[company]\nphone = \"call me\"\n", "company.phone"),
        ("[company]\nphone = 5\n", "company.phone"),
        ("[company]\nname = \"\"\n", "company.name"),
        ("[company]\nemail = \"office\"\n", "company.email"),
        (
            "[company]\nlicenses = { texas = \"B1\" }\n",
            "company.licenses.texas",
        ),
        ("[server]\nlisten = \"8080\"\n", "server.listen"),
        (
            "[server]\nbase_url = \"guardpost.example\"\n",
            "server.base_url",
        ),
        (
            "[server]\nbase_url = \"https://a.example/site\"\n",
            "server.base_url",
        ),
        (
            "[server]\ntrusted_proxies = [\"proxy\"]\n",
            "server.trusted_proxies",
        ),
        ("[server]\ntls_cert = \"a.pem\"\n", "server.tls_cert"),
        (
            "[server]\nredirects = { \"/old\" = \"//elsewhere.example\" }\n",
            "server.redirects",
        ),
        ("[limits]\nform_max = 0\n", "limits.form_max"),
        ("[limits]\nform_max = -1\n", "limits.form_max"),
        ("[mail]\nto = [\"nobody\"]\n", "mail.to"),
        ("[mail]\nsmtp_security = \"ssl\"\n", "mail.smtp_security"),
        ("[mail]\nsmtp_password = \"x\"\n", "mail.smtp_password"),
        ("[s3]\nsecret_access_key = \"x\"\n", "s3.secret_access_key"),
        ("[s3]\nendpoint = \"s3.example\"\n", "s3.endpoint"),
        ("[files]\nto = \"/mnt/files\"\n", "files.to"),
        ("[mail]\ngive_up_hours = 0\n", "mail.give_up_hours"),
        (
            "[[auth.providers]]\nid = \"acme\"\nissuer = \"http://acme.example\"\n",
            "auth.providers.issuer",
        ),
        (
            "[[auth.providers]]\nid = \"email\"\nissuer = \"https://acme.example\"\n",
            "auth.providers.id",
        ),
        (
            "[[auth.providers]]\nid = \"acme\"\nissuer = \"https://acme.example\"\n",
            "auth.providers.client_ids",
        ),
        (
            "[[auth.sso]]\ndomain = \"acme.example\"\nprovider = \"other\"\n",
            "auth.sso.provider",
        ),
        (
            "[[auth.sso]]\ndomain = \"not a domain\"\nprovider = \"other\"\n",
            "auth.sso.domain",
        ),
        ("[data\n", "TOML"),
    ];
    for (text, named) in cases {
        let error = load(text, &[]).expect_err(text);
        assert!(error.contains(named), "{text}: {error}");
    }
    let error = load("", &[("GUARDPOST_LIMITS__FORM_MAX", "three")]).unwrap_err();
    assert!(error.contains("limits.form_max"), "{error}");
    let error = load("", &[("GUARDPOST_LIMITS__FORM_MAXIMUM", "3")]).unwrap_err();
    assert!(error.contains("form_maximum"), "{error}");
    let error = load("", &[("GUARDPOST_SERVER_LISTEN", "0.0.0.0:80")]).unwrap_err();
    assert!(
        error.contains("write GUARDPOST_SERVER__LISTEN"),
        "one underscore too few: {error}"
    );
    let error = load("", &[("GUARDPOST_LISTEN", "0.0.0.0:80")]).unwrap_err();
    assert!(
        error.contains("write GUARDPOST_SERVER__LISTEN"),
        "without its section: {error}"
    );
    assert!(
        load("", &[("GUARDPOST_PORT", "tcp://10.0.0.1:80")]).is_ok(),
        "a variable of another program"
    );
}

#[test]
fn a_setting_that_has_gone_changes_nothing_and_is_named() {
    let old = "[server]\nidle_seconds = 5\n[webhooks]\nlog_days = 3\n[mail.inbound]\nmax_mb = 1\n\
               [backup]\nkeep_days = 9\nevery_hours = 6\n";
    let cli = Cli::new();
    std::fs::write(cli.path("config.toml"), old).unwrap();
    let gone = [
        "server.idle_seconds",
        "webhooks.log_days",
        "mail.inbound.max_mb",
        "backup.keep_days",
    ];
    let warnings = cli.run(&["config", "--changed"]);
    assert_eq!(warnings.stdout, "backup.every_hours = 6  # file\n");
    let checked = cli.run(&["check"]).stdout;
    for setting in gone {
        assert!(
            warnings
                .stderr
                .contains(&format!("`{setting}` is no setting any more"))
        );
        assert!(checked.contains(&format!("warning: {setting}: this is no setting any more")));
    }
    let (good, log) = ServerProcess::start(&cli, &[]).stop("-TERM");
    assert!(
        good && gone.iter().all(|setting| log.contains(setting)),
        "{log}"
    );
}

#[test]
fn each_setting_is_printed_with_its_value_and_where_it_comes_from() {
    let cli = Cli::new();
    let text = "[company]\nlicenses = { TX = \"B1\" }\n[mail]\nto = [\"a@a.example\"]\n";
    std::fs::write(cli.path("config.toml"), text).unwrap();
    let mut command = cli.command(&["config", "--data", "elsewhere"]);
    command.env("GUARDPOST_MAIL__SMTP_PASSWORD", "hunter2");
    command.env("GUARDPOST_SERVER__LISTEN", "0.0.0.0:80");
    let printed = CommandOutput::of(command.output().unwrap()).stdout;
    for line in [
        "company.name = \"Guardpost Security\"  # default",
        "company.licenses.TX.number = \"B1\"  # file",
        "mail.to = [\"a@a.example\"]  # file",
        "mail.smtp_password = (secret)  # GUARDPOST_MAIL__SMTP_PASSWORD",
        "server.listen = \"0.0.0.0:80\"  # GUARDPOST_SERVER__LISTEN",
        "data.dir = \"elsewhere\"  # --data",
    ] {
        assert!(
            printed.lines().any(|printed| printed == line),
            "{line}: {printed}"
        );
    }
    assert!(!printed.contains("hunter2"));
    let json: serde_json::Value = serde_json::from_str(&cli.run_ok(&["config", "--json"])).unwrap();
    assert_eq!(json["mail.to"]["source"], "file");
}
