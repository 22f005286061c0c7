use jiff::civil::date;

use super::{EmailedWords, fields};

/// The fields of an email of Tuesday, November 24, 2026.
fn read(subject: &str, text: &str) -> impl Fn(&str) -> String {
    let email = EmailedWords {
        name: "Carla Diaz",
        address: "carla@tower.example",
        subject,
        text,
        folded: "",
        day: date(2026, 11, 24),
    };
    let found = fields(&email);
    move |key| found.get(key).cloned().unwrap_or_default()
}

#[test]
fn a_persons_words_fill_the_fields_that_they_name() {
    let text = "Hi,\nwe need 2 unarmed guards at 1200 Main Street, Houston, TX 77002, starting \
                Monday for three months.\nPlease don't call before 9; my cell is (713) 555-0177.\n\
                \"Gate A\" -- the north one.\nCarla";
    let said = read("Guards for a tower", text);
    for (key, expected) in [
        ("first_name", "Carla"),
        ("last_name", "Diaz"),
        ("email", "carla@tower.example"),
        ("phone", "713-555-0177"),
        ("service_type", "unarmed-security"),
        ("location", "1200 Main Street, Houston, TX 77002"),
        ("start_date", "2026-11-30"),
        ("duration", "3-months"),
        ("company", ""),
    ] {
        assert_eq!(said(key), expected, "{key}");
    }
    let description = said("description");
    assert!(description.contains("Please don’t call before 9, my cell"));
    assert!(description.ends_with("“Gate A” – the north one.\nCarla"));
}

#[test]
fn the_lines_of_a_portal_come_before_its_words() {
    let text = "You have a new lead! Call 800-555-0100 for help.\n\nName: Bob Lee\n\
                Email: bob@site.example\nPhone: +1 (214) 555-0123\nCompany: Lee Builders\n\
                Service: Fire watch\nCity: Dallas\nState: TX\nZip: 75201\n\
                Start date: 12/3/2026\nDuration: 1 week\nComments: event next door";
    let said = read("New lead", text);
    for (key, expected) in [
        ("first_name", "Bob"),
        ("last_name", "Lee"),
        ("email", "bob@site.example"),
        ("phone", "214-555-0123"),
        ("company", "Lee Builders"),
        ("service_type", "fire-watch"),
        ("location", "Dallas, TX 75201"),
        ("start_date", "2026-12-03"),
        ("duration", "1-week"),
    ] {
        assert_eq!(said(key), expected, "{key}");
    }
}

#[test]
fn the_rows_of_a_table_are_read_as_labels() {
    let said = read(
        "Lead",
        "| Phone | 713.555.0188 |\nCity | Austin\nState | Texas",
    );
    assert_eq!(said("phone"), "713-555-0188");
    assert_eq!(said("location"), "Austin, Texas");
}

#[test]
fn places_are_found_as_people_write_them() {
    for (text, expected) in [
        ("a lot in Columbus, Ohio.", "Columbus, Ohio"),
        ("our store in New Orleans LA 70112", "New Orleans LA 70112"),
        ("in West Palm Beach, FL", "West Palm Beach, FL"),
        ("at 9 Dock Rd. in Tampa, FL", "9 Dock Rd., Tampa, FL"),
        (
            "at 45 North Pier Blvd Suite 300",
            "45 North Pier Blvd Suite 300",
        ),
        ("I am in or out, OK? Hi, me too", ""),
        ("24 guards", ""),
    ] {
        assert_eq!(read("", text)("location"), expected, "{text}");
    }
}

#[test]
fn days_are_found_as_people_write_them_and_none_has_passed() {
    for (text, expected) in [
        ("from December 3rd", "2026-12-03"),
        ("from Jan. 5", "2027-01-05"),
        ("from 2026-12-24 on", "2026-12-24"),
        ("on 12/3", "2026-12-03"),
        ("on 1/2/27", "2027-01-02"),
        ("Your letter of 11/2/2026: from Friday", "2026-11-27"),
        ("tomorrow at 6", "2026-11-25"),
        ("ASAP", "2026-11-24"),
        ("24/7 on 13/45", ""),
        ("soon", ""),
    ] {
        assert_eq!(read("", text)("start_date"), expected, "{text}");
    }
}

#[test]
fn services_and_durations_are_whole_words() {
    for (text, service, duration) in [
        ("an alarmed door", "", ""),
        ("armed officers, ongoing", "armed-security", "ongoing"),
        ("In the event of rain, unarmed", "unarmed-security", ""),
        ("cameras for a month", "surveillance", "1-month"),
        ("we pay 5000 a month", "", ""),
        ("fire watch on a construction site", "fire-watch", ""),
        ("a wedding, one night", "event-security", "one-time"),
    ] {
        let said = read("", text);
        assert_eq!(said("service_type"), service, "{text}");
        assert_eq!(said("duration"), duration, "{text}");
    }
}

#[test]
fn a_number_in_quoted_history_or_of_a_fax_is_not_the_customers() {
    let email = EmailedWords {
        name: "\"carla@tower.example\"",
        address: "carla@tower.example",
        subject: "",
        text: "Fax: 713-555-0100\nOrder 20265550123456",
        folded: "> Guardpost 800-555-0199\nCarla, cell 713 555 0142",
        day: date(2026, 11, 24),
    };
    let found = fields(&email);
    assert_eq!(found["phone"], "713-555-0142");
    assert!(!found.contains_key("first_name"), "a mailbox is no name");
}
