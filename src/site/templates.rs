//! Templates of emails and of pages that are written by the server: tags leave no line behind, an
//! undefined variable is an error, and values are escaped in HTML as on the site.

use minijinja::syntax::SyntaxConfig;
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value,
};

use super::placeholders::escape_html;

/// Without templates yet.
pub fn environment() -> Result<Environment<'static>, Error> {
    let mut env = Environment::new();
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build()?;
    env.set_syntax(syntax);
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_formatter(write_value);
    Ok(env)
}

/// Writes a value. A null is an error, like an undefined value; a template checks for it first.
fn write_value(out: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    if value.is_none() {
        return Err(Error::new(ErrorKind::UndefinedError, "the value is null"));
    }
    let text = text_of(value);
    let escapes = matches!(state.auto_escape(), AutoEscape::Html) && !value.is_safe();
    let written = if escapes {
        out.write_str(&escape_html(&text))
    } else {
        out.write_str(&text)
    };
    Ok(written?)
}

/// The text of a value, without quotes.
pub fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
