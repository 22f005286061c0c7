//! Tells random letters and mixed scripts from words.

/// Letters from which on a word is looked at.
const MIN_RANDOM: usize = 7;
const MIN_MIXED: usize = 4;
/// Consonants in a row, as in hardly any name; `y` counts as a vowel.
const MIN_CONSONANTS: usize = 7;
/// Capitals after a small letter: “McDonald” has one, “VanDerBeek” two.
const MAX_CAPITALS: usize = 2;
/// Runs of keys that lie side by side.
const KEY_RUNS: [&str; 8] = [
    "qwerty", "asdf", "zxcv", "hjkl", "fghj", "dfgh", "sdfg", "lkjh",
];
/// Pairs of letters that do not occur in the names of any language written in Latin letters: after
/// each letter, those that never follow it.
const RARE_PAIRS: [(u8, &[u8]); 15] = [
    (b'b', b"qx"),
    (b'c', b"x"),
    (b'd', b"x"),
    (b'f', b"qxz"),
    (b'g', b"x"),
    (b'h', b"x"),
    (b'j', b"bfgqvxz"),
    (b'k', b"qxz"),
    (b'm', b"x"),
    (b'p', b"qx"),
    (b'q', b"bdgjkmpvxz"),
    (b'v', b"bqx"),
    (b'w', b"qx"),
    (b'x', b"jq"),
    (b'z', b"x"),
];

/// Whether a text consists mainly of words of random letters.
pub(super) fn is_random(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic());
    let (mut long, mut random) = (0, 0);
    for word in words.filter(|word| word.len() >= MIN_RANDOM) {
        long += 1;
        random += usize::from(is_random_word(word));
    }
    2 * random > long
}

fn is_random_word(word: &str) -> bool {
    if !word.is_ascii() {
        return false;
    }
    let pairs = word.as_bytes().windows(2);
    let capitals =
        pairs.filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    if capitals.count() > MAX_CAPITALS {
        return true;
    }
    let word = word.to_ascii_lowercase();
    let is_vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let consonants = word.split(is_vowel).map(str::len).max().unwrap_or_default();
    let pairs = word.as_bytes().windows(2);
    let rare = pairs.filter(|pair| is_rare(pair[0], pair[1])).count();
    consonants >= MIN_CONSONANTS || rare >= 2 || KEY_RUNS.iter().any(|run| word.contains(run))
}

fn is_rare(first: u8, second: u8) -> bool {
    let found = RARE_PAIRS.iter().find(|(letter, _)| *letter == first);
    found.is_some_and(|(_, never)| never.contains(&second))
}

/// The first word with letters of two alphabets that look alike.
pub(super) fn has_mixed_scripts(text: &str) -> Option<&str> {
    if text.is_ascii() {
        return None;
    }
    let words = text.split(|c: char| !c.is_alphabetic());
    words.into_iter().find(|word| {
        let has = |alphabet: fn(char) -> bool| word.chars().any(alphabet);
        let alphabets = [has(is_latin), has(is_cyrillic), has(is_greek)];
        let count = alphabets.into_iter().filter(|has| *has).count();
        count > 1 && word.chars().count() >= MIN_MIXED
    })
}

fn is_latin(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | 'À'..='ɏ' | 'Ḁ'..='ỿ')
}

fn is_cyrillic(c: char) -> bool {
    matches!(c, '\u{400}'..='\u{52f}')
}

fn is_greek(c: char) -> bool {
    matches!(c, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}')
}

#[cfg(test)]
mod tests {
    use super::{has_mixed_scripts, is_random};

    #[test]
    fn random_letters_are_told_from_names_of_many_languages() {
        for random in [
            "WQnFdkCcRMDzNsbA",
            "xkjvqwrtlp",
            "gHtRkWpQzXvB",
            "sdfghjkl",
            "asdfasdf",
            "Hnbqxkzv PLmwqxjd",
        ] {
            assert!(is_random(random), "{random}");
        }
        for name in [
            "",
            "Ng",
            "María José",
            "Krzysztof",
            "Brzęczyszczykiewicz",
            "Szczepański",
            "Wojciechowski",
            "Schwarzkopf",
            "Strzelczyk",
            "Mkrtchyan",
            "Hlavacek",
            "Vlk",
            "Nguyễn",
            "Xhemajli",
            "Iqbal",
            "McDonald",
            "MacArthur",
            "VanDerBeek",
            "DeShawn",
            "LaToya",
            "Krishnamurthy",
            "Tchaikovsky",
            "Bydgoszcz",
            "Worcestershire",
            "Haarlemmermeer",
            "Abdulmuttalib",
            "Дмитрий",
            "Γεώργιος",
            "王小明",
            "محمد",
            "GmbH & Co KG",
            "HVAC BSMT MTRL",
            "Knickerbocker",
        ] {
            assert!(!is_random(name), "{name}");
        }
    }

    #[test]
    fn look_alike_spellings_are_told_from_texts_in_two_languages() {
        for mixed in ["Onlin\u{435} casino", "\u{421}\u{430}sino", "\u{392}itcoin"] {
            assert!(has_mixed_scripts(mixed).is_some(), "{mixed}");
        }
        for text in [
            "Нужна охрана склада, 24/7, Brooklyn",
            "SMS-ка на номер",
            "ABC大厦 保安",
            "Größe 5 kΩ",
            "Ωmega",
        ] {
            let expected = (text == "Ωmega").then_some("Ωmega");
            assert_eq!(has_mixed_scripts(text), expected, "{text}");
        }
    }
}
