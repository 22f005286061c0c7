//! A text as a PDF in one built-in font, page by page.

use super::document::{self, Document, Receipt};

const LINE_CHARS: usize = 92;
const PAGE_LINES: usize = 58;

/// The PDF of a version.
pub fn pdf(document: &Document) -> Vec<u8> {
    of_text(&document::text(document))
}

/// The PDF of a receipt.
pub fn receipt_pdf(document: &Document, receipt: &Receipt) -> Vec<u8> {
    let acceptance = &receipt.acceptance;
    let lines = [
        format!(
            "RECEIPT FOR OFFER {}, VERSION {}",
            acceptance.number, acceptance.version
        ),
        document.company.name.clone(),
        String::new(),
        document::summary(document),
        String::new(),
        format!("Accepted by: {}", acceptance.name),
        format!("Title: {}", acceptance.title),
        format!("Email: {}", acceptance.email),
        format!("At: {}", acceptance.accepted_at),
        format!("Digest of the PDF: {}", acceptance.digests.pdf),
        format!("Digest: {}", receipt.digest),
        format!("Seal: {}", receipt.seal),
    ];
    of_text(&lines.join("\n"))
}

fn of_text(text: &str) -> Vec<u8> {
    let lines: Vec<Vec<u8>> = text.lines().flat_map(wrapped).collect();
    let pages: Vec<&[Vec<u8>]> = lines.chunks(PAGE_LINES).collect();
    let kids = (0..pages.len()).map(|page| format!("{} 0 R", 4 + 2 * page));
    let kids = kids.collect::<Vec<_>>().join(" ");
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
    let mut objects: Vec<Vec<u8>> = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len()).into_bytes(),
        font.into(),
    ];
    for (number, page) in pages.iter().enumerate() {
        objects.push(
            format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R \
                 /Resources << /Font << /F1 3 0 R >> >> >>",
                5 + 2 * number
            )
            .into_bytes(),
        );
        let mut content = b"BT /F1 10 Tf 12 TL 54 740 Td\n".to_vec();
        for line in *page {
            content.push(b'(');
            content.extend(line);
            content.extend(b") Tj T*\n");
        }
        content.extend(b"ET\n");
        let mut stream = format!("<< /Length {} >>\nstream\n", content.len()).into_bytes();
        stream.extend(content);
        stream.extend(b"endstream");
        objects.push(stream);
    }
    file(&objects)
}

fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(out.len());
        out.extend(format!("{} 0 obj\n", number + 1).into_bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let start = out.len();
    let count = objects.len() + 1;
    out.extend(format!("xref\n0 {count}\n0000000000 65535 f \n").into_bytes());
    for place in places {
        out.extend(format!("{place:010} 00000 n \n").into_bytes());
    }
    let trailer = format!("trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
    out.extend(trailer.into_bytes());
    out
}

/// A line in parts that fit, in WinAnsi, escaped.
fn wrapped(line: &str) -> Vec<Vec<u8>> {
    let bytes: Vec<u8> = line.chars().map(win_ansi).collect();
    if bytes.is_empty() {
        return vec![Vec::new()];
    }
    let parts = bytes.chunks(LINE_CHARS);
    let escaped = |part: &[u8]| {
        let mut out = Vec::new();
        for byte in part {
            if matches!(byte, b'(' | b')' | b'\\') {
                out.push(b'\\');
            }
            out.push(*byte);
        }
        out
    };
    parts.map(escaped).collect()
}

fn win_ansi(character: char) -> u8 {
    match character {
        '’' => 0x92,
        '“' => 0x93,
        '”' => 0x94,
        '–' => 0x96,
        '−' => b'-',
        other => u8::try_from(u32::from(other)).unwrap_or(b'?'),
    }
}
