// What a visitor's file must be, checked before it is sent. The server checks it again, by the same
// rules: the content decides, not the name.

/** Files per request. */
export const maxFiles = 5;
/** Bytes per file: 10 MB. */
const maxBytes = 10_485_760;
/** Bytes of the longest name that the server takes, less what `fileKey` may add. */
const maxName = 90;

export const texts = {
  tooMany: 'This is more than five files. Remove one first, or email it to us.',
  tooLarge: 'It is larger than 10 MB. Send a smaller copy, or email it to us.',
  empty: 'It is empty.',
  type: 'We take JPEG, PNG, WebP and PDF files. Save it as one of these and choose it again.',
  heic:
    'It is an HEIC photo, which we cannot read. On an iPhone, tap Options below your photos, choose ' +
    'Most Compatible, and pick it again; or send a screenshot of it.',
  unreadable: 'It could not be read from your device. Choose it again.',
};

/** Why a file cannot be sent; undefined if it can. */
export async function checkFile(file: Blob): Promise<string | undefined> {
  if (file.size === 0) return texts.empty;
  if (file.size > maxBytes) return texts.tooLarge;
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  } catch {
    return texts.unreadable;
  }
  const kind = kindOf(head);
  if (kind === 'heic') return texts.heic;
  return kind ? undefined : texts.type;
}

/** How the files that we take begin; a dot is any byte. */
const beginnings = ['%PDF-', '\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'RIFF....WEBP'];

/** The kind of a file by its first bytes, as in src/domain/storage/content_type.rs. */
function kindOf(head: Uint8Array): 'heic' | 'taken' | undefined {
  const text = String.fromCharCode(...head);
  const begins = (start: string) => [...start].every((char, at) => char === '.' || char === text[at]);
  if (beginnings.some(begins)) return 'taken';
  return ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'].includes(text.slice(8)) &&
    begins('....ftyp')
    ? 'heic'
    : undefined;
}

/**
 * The key of the file called `name` among the `taken` ones: characters that no key may have become
 * `-`, as in src/domain/storage/names.rs, and a number makes it unique.
 */
export function fileKey(name: string, taken: string[]): string {
  const plain = name.replace(/[^A-Za-z0-9_!.*'() &$=@;:+,-]/g, '-').replace(/^[ .-]+|[ -]+$/g, '');
  const base = plain.slice(-maxName) || 'file';
  let key = base;
  for (let n = 2; taken.includes(key); n += 1) key = `${n}-${base}`;
  return key;
}
