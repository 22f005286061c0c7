//! Distinguishes random letters and mixed scripts from words.

/// Letters from which on a word is looked at.
const MIN_RANDOM: usize = 7;
const MIN_MIXED: usize = 4;
/// Consonants in a row, as in hardly any name; `y` counts as a vowel.
const MIN_CONSONANTS: usize = 7;
/// Capitals after a small letter: “McDonald” has one, “VanDerBeek” two.
const MAX_CAPITALS: usize = 2;

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
    let letters = word.as_bytes();
    let is_vowel = |letter: &u8| matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let consonants = letters.split(is_vowel).map(<[u8]>::len).max();
    let pairs = letters.windows(2);
    let rare = pairs.filter(|pair| is_rare(pair[0], pair[1])).count();
    consonants >= Some(MIN_CONSONANTS)
        || rare >= 2
        || (0..letters.len()).any(|at| begins_with_keys(&letters[at..]))
}

/// Whether a word begins with a run of keys that lie side by side.
const fn begins_with_keys(word: &[u8]) -> bool {
    matches!(
        word,
        [b'q', b'w', b'e', b'r', b't', b'y', ..]
            | [b'a', b's', b'd', b'f', ..]
            | [b'z', b'x', b'c', b'v', ..]
            | [b'h', b'j', b'k', b'l', ..]
            | [b'f', b'g', b'h', b'j', ..]
            | [b'd', b'f', b'g', b'h', ..]
            | [b's', b'd', b'f', b'g', ..]
            | [b'l', b'k', b'j', b'h', ..]
    )
}

/// Whether one letter never follows another in the names of any language written in Latin letters.
fn is_rare(first: u8, second: u8) -> bool {
    let never: &[u8] = match first {
        b'c' | b'd' | b'g' | b'h' | b'm' | b'z' => b"x",
        b'f' | b'k' => b"qxz",
        b'j' => b"bfgqvxz",
        b'b' | b'p' | b'w' => b"qx",
        b'q' => b"bdgjkmpvxz",
        b'v' => b"bqx",
        b'x' => b"jq",
        _ => return false,
    };
    never.contains(&second)
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
    fn a_run_of_keys_makes_a_word_random() {
        for keys in [
            "qwerty", "asdf", "zxcv", "hjkl", "fghj", "dfgh", "sdfg", "lkjh",
        ] {
            assert!(is_random(&format!("oe{keys}oe")), "{keys}");
            let (part, _) = keys.split_at(keys.len() - 1);
            assert!(!is_random(&format!("oe{part}eoe")), "{part}");
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
