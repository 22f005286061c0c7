// The dashboard's calls of the storage service: links to the files of quote requests, and their
// removal.
import { callApi, post } from './admin-client';

const base = '/storage/v1';
/** The bucket of the files of quote requests. */
export const quoteFiles = 'quotes';

/** Lifetime of a link, in seconds. */
export const linkSeconds = 3600;

/** Links by key, which open the files of a bucket without a sign-in for an hour. */
export async function linkFiles(
  token: string,
  bucket: string,
  keys: string[],
): Promise<Record<string, string>> {
  if (keys.length === 0) return {};
  const signed = await callApi<{ path: string; signedURL: string | null }[]>(
    `${base}/object/sign/${bucket}`,
    post(token, { expiresIn: linkSeconds, paths: keys }),
  );
  const links = signed.flatMap(({ path, signedURL }) =>
    signedURL ? [[path, base + encodeURI(signedURL)] as const] : [],
  );
  return Object.fromEntries(links);
}
