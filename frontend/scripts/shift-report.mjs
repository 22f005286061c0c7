// Writes the sample of a shift report (seeds/site/company.json) as a PDF of one page. Called by
// prerender.mjs. Its faces are those that every PDF reader has, so that it needs no library.
import { readFile, writeFile } from 'node:fs/promises';

const margin = 56;
const top = 736;

/** @param {string} root the frontend's folder, with a slash */
export async function writeShiftReport(root) {
  const seed = await readFile(`${root}../seeds/site/company.json`, 'utf8');
  const { shift_report: report } = JSON.parse(seed);
  await writeFile(`${root}dist${report.download}`, pdf(drawing(report)), 'latin1');
}

/** The lines of the page, from its top to its foot. */
function drawing({ head, rows, attention }) {
  const lines = [];
  let y = top;
  /** Writes a text at `x`, bold or not, without leaving the line. */
  const put = (x, text, font = 'F1', size = 10) =>
    lines.push(`BT /${font} ${size} Tf ${margin + x} ${y} Td (${escaped(text)}) Tj ET`);
  const rule = () => lines.push(`${margin} ${y} m ${612 - margin} ${y} l S`);
  put(0, 'Sample shift report', 'F2', 18);
  y -= 20;
  rule();
  for (const { title, text } of head) {
    y -= 18;
    put(0, title);
    put(90, text, 'F2');
  }
  y -= 16;
  rule();
  for (const { title, text } of rows) {
    y -= 20;
    put(0, title, 'F2');
    put(90, text);
  }
  y -= 14;
  rule();
  y -= 20;
  put(0, 'Needs attention', 'F2');
  put(90, attention);
  return lines.join('\n');
}

/** A text as a string of a PDF, in the encoding of Windows; Latin 1 lacks the apostrophe. */
function escaped(text) {
  return text.replace(/[\\()]/g, '\\$&').replaceAll('’', '\x92');
}

function pdf(content) {
  const face = (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    face('Helvetica'),
    face('Helvetica-Bold'),
    '<< /Title (Sample shift report) >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 7 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}
