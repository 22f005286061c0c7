//! The block of `From:`, `Sent:`, `To:` and `Subject:` above an earlier email, as Outlook writes
//! it.

use super::super::line::Line;

/// The names of its fields: the author, the date, the recipient, the subject.
const NAMES: [[&str; 4]; 15] = [
    ["From", "Sent|Date", "To", "Subject"],
    [
        "De",
        "Enviado el|Enviado|Fecha|Enviada em|Data",
        "Para",
        "Asunto|Assunto",
    ],
    ["De", "Envoyé|Date", "À|A", "Objet"],
    ["Von", "Gesendet|Datum", "An", "Betreff"],
    ["Da", "Inviato|Data", "A", "Oggetto"],
    ["Van", "Verzonden|Datum", "Aan", "Onderwerp"],
    [
        "Från|Fra",
        "Skickat|Sendt|Datum|Dato",
        "Till|Til",
        "Ämne|Emne",
    ],
    [
        "Od",
        "Wysłano|Data|Odesláno|Datum",
        "Do|Komu",
        "Temat|Předmět",
    ],
    ["От", "Отправлено|Дата", "Кому", "Тема"],
    ["Від", "Надіслано|Дата", "Кому", "Тема"],
    ["Kimden", "Gönderildi|Tarih", "Kime", "Konu"],
    ["Từ", "Đã gửi|Ngày", "Đến|Tới", "Chủ đề"],
    ["差出人|送信者", "送信日時|日付", "宛先", "件名"],
    [
        "发件人|寄件者|寄件人",
        "发送时间|寄件日期|日期|傳送時間",
        "收件人|收件者",
        "主题|主旨",
    ],
    ["보낸 사람", "보낸 날짜|날짜", "받는 사람", "제목"],
];
/// Lines in which the fields are looked for.
const MAX_LINES: usize = 8;

/// The author's line of the block that begins here, perhaps below a rule.
pub(super) fn author(lines: &[Line]) -> Option<String> {
    let is_rule = |line: &Line| {
        let text = line.unquoted();
        text.len() >= 5 && text.chars().all(|c| c == '_' || c == '-')
    };
    let skipped = usize::from(lines.first().is_some_and(is_rule));
    let mut block = lines[skipped..]
        .iter()
        .skip_while(|line| line.is_blank())
        .take(MAX_LINES);
    let first = block.next()?;
    let below: Vec<&Line> = block.take_while(|line| !line.is_blank()).collect();
    let has = |names: &str| below.iter().any(|line| is_field(line, names));
    let has_date = |names: &str| {
        let mut dates = below.iter().filter(|line| is_field(line, names));
        dates.any(|line| line.text.contains(|c: char| c.is_ascii_digit()))
    };
    let is_block = NAMES.iter().any(|[from, date, to, subject]| {
        is_field(first, from) && has(subject) && (has_date(date) || has(to))
    });
    is_block.then(|| first.text.clone())
}

/// Whether a line is a field with one of these names.
fn is_field(line: &Line, names: &str) -> bool {
    let text = line.unquoted();
    names.split('|').any(|name| {
        let rest = text.strip_prefix(name).unwrap_or_default();
        rest.trim_start_matches(['*', ' ', '\u{a0}'])
            .starts_with([':', '：'])
    })
}
