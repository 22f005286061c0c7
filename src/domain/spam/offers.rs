//! Phrases of unsolicited offers: what people who look for guards do not write. Single words such
//! as “casino” or “crypto” are missing, since casinos and conferences need guards as well.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Phrases that are named in the dashboard.
const MAX_PHRASES: usize = 3;
/// The phrases, in lower case.
const PHRASES: &str = "\
    backlink|guest post|link building|link insertion|domain authority|seo service|\
    seo audit|seo package|seo expert|search engine optimization|first page of google|\
    page one of google|top of google|google ranking|rank higher|rank your website|\
    ranking of your website|traffic to your website|traffic to your site|website traffic|\
    visitors to your website|redesign your website|redesign of your website|\
    your website design|noticed your website|found your website|visited your website|\
    on your website and|errors on your website|web design service|wordpress developer|\
    mobile app development|explainer video|social media followers|instagram followers|\
    buy followers|email list|b2b leads|leads for your business|qualified leads|\
    lead generation service|contact form blast|contact forms on|\
    this message was sent through|submit your site|business loan|working capital|\
    unsecured funding|line of credit|merchant cash advance|no credit check|loan offer|\
    bitcoin|crypto investment|crypto wallet|trading signals|forex|passive income|\
    earn money online|make money online|work from home and|double your|\
    investment opportunity|online casino|casino bonus|free spins|sports betting|viagra|\
    cialis|online pharmacy|weight loss pills|adult dating|meet singles|replica watches|\
    copyright infringement|images without permission|legal action against your|\
    your domain will expire|domain expiration|trademark registration|mailbox is full|\
    verify your account|unsubscribe|opt out of future|opt-out of future|\
    limited time offer|special offer for you|100% free trial|virtual assistant|\
    outsourcing company|продвижение сайт|раскрутка сайт|заработок в интернете|\
    онлайн казино|seo-продвижение|网站推广";

/// The phrases that the texts contain, at most three.
pub(super) fn phrases(texts: &[&str]) -> Vec<&'static str> {
    #[expect(clippy::expect_used, reason = "a constant; every test compiles it")]
    static FINDER: LazyLock<(AhoCorasick, Vec<&str>)> = LazyLock::new(|| {
        let phrases: Vec<&str> = PHRASES.split('|').collect();
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(&phrases);
        (finder.expect("the phrases"), phrases)
    });
    let (finder, known) = &*FINDER;
    let mut found = Vec::new();
    for text in texts {
        // Capitals of other alphabets are not found otherwise.
        let lower = (!text.is_ascii()).then(|| text.to_lowercase());
        let text = lower.as_deref().unwrap_or(text);
        for hit in finder.find_overlapping_iter(text) {
            let phrase = known[hit.pattern()];
            if found.len() < MAX_PHRASES && !found.contains(&phrase) {
                found.push(phrase);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::phrases;

    #[test]
    fn offers_are_told_from_requests_of_the_same_trades() {
        assert_eq!(
            phrases(&["", "Get BACKLINKS and rank\u{20}higher"]),
            ["backlink", "rank higher"]
        );
        for request in [
            "Two armed guards for our casino in Reno",
            "Crypto conference, 2,000 visitors, doors at 9",
            "Guard for a pharmacy that is robbed every month",
            "Our SEO agency moves offices, one guard at the loading dock",
            "Loan office, one unarmed officer at the entrance",
        ] {
            assert!(phrases(&["", request]).is_empty(), "{request}");
        }
    }
}
