//! Texts that many clients send: a flood.

use std::collections::VecDeque;

use super::MANY_CLIENTS;

/// Texts that are compared with those of new submissions.
const RECENT_TEXTS: usize = 2048;

/// The newest texts of this process, by their hashes, and who has sent them.
#[derive(Default)]
pub struct RecentTexts(VecDeque<(u64, String)>);

impl RecentTexts {
    /// The number of other clients that sent this text, counted up to `MANY_CLIENTS`: in a flood of
    /// one text all are equal. Records it.
    pub fn other_clients(&mut self, text: u64, client: &str) -> usize {
        let mut others = Vec::new();
        for (_, other) in self.0.iter().filter(|(sent, _)| *sent == text) {
            if other != client && !others.contains(&other) {
                others.push(other);
            }
            if others.len() == MANY_CLIENTS {
                break;
            }
        }
        let others = others.len();
        self.0.push_back((text, client.to_owned()));
        if self.0.len() > RECENT_TEXTS {
            self.0.pop_front();
        }
        others
    }
}

#[cfg(test)]
mod tests {
    use super::{RECENT_TEXTS, RecentTexts};

    #[test]
    fn equal_texts_of_other_clients_are_counted_once_per_client() {
        let mut texts = RecentTexts::default();
        for (text, client, others) in [
            (1, "Ann", 0),
            (1, "Bob", 1),
            (1, "Bob", 1),
            (2, "Cem", 0),
            (1, "Dee", 2),
            (1, "Ann", 2),
        ] {
            assert_eq!(texts.other_clients(text, client), others, "{text} {client}");
        }
        (0..RECENT_TEXTS).for_each(|_| {
            texts.other_clients(3, "Flo");
        });
        assert_eq!(texts.other_clients(1, "Eva"), 0, "old texts are dropped");
    }
}
