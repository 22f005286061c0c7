//! A table of locations as people type them.

use super::Place;

const PLACES: [(&str, &str, &str); 62] = [
    // With a state.
    ("Houston, TX", "Houston", "TX"),
    ("Houston, TX 77002", "Houston", "TX"),
    ("Houston TX 77002-1234, USA", "Houston", "TX"),
    ("12 Main St, Dallas, TX 75201", "Dallas", "TX"),
    ("Nashville, TN, Gulch site", "Nashville", "TN"),
    ("Nashville TN Gulch site", "Nashville", "TN"),
    ("nashville, tn, gulch site", "Nashville", "TN"),
    ("1200 Main Street, houston tx", "Houston", "TX"),
    ("1200 Main Street Houston TX 77002", "Houston", "TX"),
    ("Columbus, Ohio", "Columbus", "OH"),
    ("Columbus, GA 31901", "Columbus", "GA"),
    ("Charleston, West Virginia 25301", "Charleston", "WV"),
    ("Charleston, SC", "Charleston", "SC"),
    ("Richmond, Virginia", "Richmond", "VA"),
    ("Kansas City, MO", "Kansas City", "MO"),
    ("Kansas City, KS 66101", "Kansas City", "KS"),
    ("Portland, OR, at the harbor", "Portland", "OR"),
    ("Portland, ME", "Portland", "ME"),
    ("Washington, DC", "Washington", "DC"),
    (
        "1600 Pennsylvania Ave NW, Washington, DC 20500",
        "Washington",
        "DC",
    ),
    ("New York, NY", "New York", "NY"),
    ("350 5th Ave, New York, NY 10118", "New York", "NY"),
    ("St. Louis, MO", "St. Louis", "MO"),
    ("st louis mo", "St. Louis", "MO"),
    ("Coeur d’Alene, ID", "Coeur d'Alene", "ID"),
    ("Bayou Vista, TX", "Bayou Vista", "TX"),
    ("Smallville, KS, by the silo", "Smallville", "KS"),
    ("500 Oak Ave, TX", "", "TX"),
    ("Suite 4, 500 Oak Ave, Plano, TX", "Plano", "TX"),
    ("Houston, TX (Galleria)", "Houston", "TX"),
    ("Houston, TX; gate on Post Oak", "Houston", "TX"),
    ("TX", "", "TX"),
    ("Texas", "", "TX"),
    ("TX, Houston", "Houston", "TX"),
    ("new york", "New York", "NY"),
    ("WAREHOUSE IN HOUSTON, TX", "Houston", "TX"),
    // By the postal code.
    ("4400 Bellaire Blvd, Houston 77025", "Houston", "TX"),
    ("4400 Washington Ave, Houston 77025", "Houston", "TX"),
    ("Houston 77025", "Houston", "TX"),
    ("77025", "", "TX"),
    ("Columbus 43215", "Columbus", "OH"),
    ("Springfield 01103", "Springfield", "MA"),
    ("12 Elm St, Springfield, 62701", "Springfield", "IL"),
    ("Port Chester 10573", "Port Chester", "NY"),
    ("San Diego 92101-4711", "San Diego", "CA"),
    ("El Paso 88510", "El Paso", "TX"),
    ("12345 Main Street", "", ""),
    ("00000", "", ""),
    // By the city.
    ("Houston", "Houston", "TX"),
    ("downtown Houston", "Houston", "TX"),
    ("Houston, near the Galleria", "Houston", "TX"),
    ("WAREHOUSE IN HOUSTON", "Houston", "TX"),
    ("Oklahoma City", "Oklahoma City", "OK"),
    ("virginia beach", "Virginia Beach", "VA"),
    ("new york city", "New York City", "NY"),
    // In several states: a person chooses.
    ("Columbus", "Columbus", ""),
    ("Kansas City", "Kansas City", ""),
    ("Arlington", "Arlington", ""),
    // Not said.
    ("5 Washington Street", "", ""),
    ("a warehouse in town or the lot", "", ""),
    ("Main Street", "", ""),
    ("", "", ""),
];

#[test]
fn city_and_state_are_found_as_people_write_them() {
    let mut wrong = Vec::new();
    for (location, city, state) in PLACES {
        let found = Place::of_location(location);
        let shown = (found.city.as_str(), found.state.unwrap_or_default());
        if shown != (city, state) {
            wrong.push(format!("{location}: {shown:?}, not {:?}", (city, state)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_postal_code_belongs_to_one_state() {
    let seeds = include_str!("../../../../seeds/offers/places.json");
    let seeds: serde_json::Value = serde_json::from_str(seeds).unwrap();
    let seeds = seeds.as_object().unwrap();
    assert_eq!(seeds.len(), 51);
    let mut known = std::collections::BTreeMap::new();
    for (state, seed) in seeds {
        for range in seed["zip"].as_array().unwrap() {
            let range = range.as_str().unwrap();
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            assert!(from <= to, "{range}");
            for zip in from.parse::<u16>().unwrap()..=to.parse().unwrap() {
                let other = known.insert(zip, state);
                assert_eq!(other, None, "{zip:03} of {state}");
                assert_eq!(super::table::state_of_zip(zip), Some(state.as_str()));
            }
        }
    }
}
