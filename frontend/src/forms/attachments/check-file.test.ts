import { expect, it } from 'vitest';
import { sizeText } from '../../content/file-size';
import { checkFile, fileKey, texts } from './check-file';

const file = (head: string, size = head.length) =>
  new Blob([Uint8Array.from(head, (char) => char.charCodeAt(0)), new Uint8Array(size - head.length)]);

it('takes a file by its content, whatever it is called', async () => {
  for (const head of ['%PDF-1.7', '\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n', 'RIFF\x01\x02\x03\x04WEBPVP8 '])
    expect(await checkFile(file(head)), head).toBeUndefined();
  for (const head of ['GIF89a', 'PK\x03\x04', 'RIFF\0\0\0\0AVI ', ' %PDF-1.7', '%PD', '\x89PNG\n', 'x'])
    expect(await checkFile(file(head)), head).toBe(texts.type);
});

it('says how to send an HEIC photo', async () => {
  for (const brand of ['heic', 'heix', 'hevc', 'mif1'])
    expect(await checkFile(file(`\0\0\0\x18ftyp${brand}\0\0`))).toBe(texts.heic);
  expect(await checkFile(file('\0\0\0\x18ftypisom\0\0'))).toBe(texts.type);
});

it('takes ten megabytes, not a byte more, and nothing that is empty', async () => {
  expect(await checkFile(file('%PDF-', 10_485_760))).toBeUndefined();
  expect(await checkFile(file('%PDF-', 10_485_761))).toBe(texts.tooLarge);
  for (const head of ['GIF89a', '\0\0\0\x18ftypheic\0\0'])
    expect(await checkFile(file(head, 12_000_000)), 'too big whatever it is').toBe(texts.tooLarge);
  expect(await checkFile(file(''))).toBe(texts.empty);
});

it('says so when a file cannot be read', async () => {
  const gone = Object.assign(file('%PDF-'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }),
  });
  expect(await checkFile(gone as unknown as Blob)).toBe(texts.unreadable);
});

it('makes a key of any name, and each key once', () => {
  expect(fileKey('plan.pdf', [])).toBe('plan.pdf');
  expect(fileKey('plan.pdf', ['plan.pdf', '2-plan.pdf'])).toBe('3-plan.pdf');
  expect(fileKey('Grundriß Süd.pdf', [])).toBe('Grundri- S-d.pdf');
  expect(fileKey('a/b?c#d%.pdf', [])).toBe('a-b-c-d-.pdf');
  for (const name of ['平面図', '..', '.', '', '   ']) expect(fileKey(name, [])).toBe('file');
  expect(fileKey(`${'x'.repeat(300)}.pdf`, []).length).toBeLessThanOrEqual(90);
});

it('writes sizes for people', () => {
  expect([sizeText(1), sizeText(999_999), sizeText(2_449_000)]).toEqual(['1 KB', '1000 KB', '2.4 MB']);
});
