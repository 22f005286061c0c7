//! The grammar of `Authentication-Results` (RFC 8601, section 2.2). A field that does not follow it
//! says nothing: a sender chooses the values that a server quotes.

use std::iter::Peekable;
use std::str::Chars;

/// A field: who has tested, and with what outcome.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Results {
    pub authserv_id: String,
    pub outcomes: Vec<Outcome>,
}

/// The outcome of a method, as in `dkim=pass header.d=customer.example`. Names and results are in
/// lower case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub method: String,
    pub result: String,
    /// `header.d` and the like, with their values.
    properties: Vec<(String, String)>,
}

impl Outcome {
    /// The value of a property.
    pub(super) fn property(&self, name: &str) -> Option<&str> {
        let found = self.properties.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A part of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A word, with all that may be in a value that is not quoted.
    Word(String),
    /// A quoted string, without its quotes and escapes.
    Quoted(String),
    Equals,
    Semicolon,
    Slash,
}

/// Reads a field. `None` if it does not follow the grammar, or says that no test was made.
pub(super) fn parse(field: &str) -> Option<Results> {
    let tokens = tokens(field)?;
    let mut parts = tokens.split(|token| *token == Token::Semicolon);
    let (Token::Word(id) | Token::Quoted(id)) = parts.next()?.first()? else {
        return None;
    };
    let outcomes = parts.filter(|part| !part.is_empty());
    Some(Results {
        authserv_id: id.clone(),
        outcomes: outcomes.map(outcome).collect::<Option<_>>()?,
    })
}

/// `method [/ version] = result *(property = value)`.
fn outcome(part: &[Token]) -> Option<Outcome> {
    let (method, rest) = match part {
        [
            Token::Word(method),
            Token::Slash,
            Token::Word(_),
            Token::Equals,
            rest @ ..,
        ]
        | [Token::Word(method), Token::Equals, rest @ ..] => (method, rest),
        _ => return None,
    };
    let [Token::Word(result), rest @ ..] = rest else {
        return None;
    };
    Some(Outcome {
        method: method.to_ascii_lowercase(),
        result: result.to_ascii_lowercase(),
        properties: properties(rest)?,
    })
}

fn properties(mut rest: &[Token]) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    while let [Token::Word(name), Token::Equals, after @ ..] = rest {
        let (value, after) = value(after);
        found.push((name.to_ascii_lowercase(), value));
        rest = after;
    }
    rest.is_empty().then_some(found)
}

/// A value: a word, or a quoted string with what follows it (`"x y"@customer.example`). It ends
/// before the name of the next property.
fn value(rest: &[Token]) -> (String, &[Token]) {
    let mut value = String::new();
    let mut end = 0;
    for (at, token) in rest.iter().enumerate() {
        let begins_next = at > 0 && rest.get(at + 1) == Some(&Token::Equals);
        match token {
            Token::Word(_) if begins_next => break,
            Token::Word(text) => value.push_str(text),
            Token::Quoted(text) => value.push_str(text),
            Token::Slash => value.push('/'),
            Token::Equals | Token::Semicolon => break,
        }
        end = at + 1;
    }
    (value, &rest[end..])
}

/// The parts of a field without comments and spaces. `None` if a quote or a comment never ends.
fn tokens(field: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut chars = field.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' => skip_comment(&mut chars)?,
            '"' => tokens.push(Token::Quoted(quoted(&mut chars)?)),
            '=' => tokens.push(Token::Equals),
            ';' => tokens.push(Token::Semicolon),
            '/' => tokens.push(Token::Slash),
            c if c.is_whitespace() => {}
            c => tokens.push(Token::Word(word(c, &mut chars, tokens.last()))),
        }
    }
    Some(tokens)
}

/// A word that begins with `first`. In a value, `=` and `/` are characters like others: base64 has
/// them.
fn word(first: char, chars: &mut Peekable<Chars<'_>>, before: Option<&Token>) -> String {
    let is_value = before == Some(&Token::Equals);
    let ends = |c: &char| {
        c.is_whitespace() || matches!(c, '(' | '"' | ';') || (!is_value && matches!(c, '=' | '/'))
    };
    let mut word = String::from(first);
    while let Some(c) = chars.next_if(|c| !ends(c)) {
        word.push(c);
    }
    word
}

/// A quoted string whose opening quote is read.
fn quoted(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut text = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(text),
            '\\' => text.push(chars.next()?),
            c => text.push(c),
        }
    }
}

/// Skips a comment, perhaps with others inside, whose opening parenthesis is read.
fn skip_comment(chars: &mut Peekable<Chars<'_>>) -> Option<()> {
    let mut depth = 1;
    while depth > 0 {
        match chars.next()? {
            '(' => depth += 1,
            ')' => depth -= 1,
            '\\' => drop(chars.next()?),
            _ => {}
        }
    }
    Some(())
}
