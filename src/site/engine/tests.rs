use std::time::Duration;

use super::evaluate;

#[test]
fn a_renderer_that_does_not_end_is_stopped_and_the_error_says_why() {
    let limit = Duration::from_millis(50);
    let error = evaluate(b"for (;;) {}", "{}".to_owned(), limit).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rendering took more than 50ms of processor time"
    );
}
