// The calls about the site's content: drafts, preview, publishing, history.
import { callApi, post, put, remove } from './admin-client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type SiteContent = Omit<Schemas['SiteContent'], 'sections'> & { sections: SiteSection[] };
export type SiteSection = Omit<Schemas['SiteSection'], 'value'> & { value: unknown };
export type SiteVersion = Schemas['SiteVersion'];
export type SiteChanges = Schemas['SiteChanges'];

const base = '/api/admin/site';

export const readSite = (token: string) => callApi<SiteContent>(base, { token });

export const readSiteHistory = (token: string) =>
  callApi<{ versions: SiteVersion[] }>(`${base}/history`, { token });

/** `number` is that of the draft it replaces, 0 if there is none. */
export const saveSiteDraft = (token: string, section: string, number: number, value: unknown) =>
  callApi<{ number: number }>(`${base}/drafts/${section}`, put(token, { number, value }));

/** What publishing changes, or what a version of the history has changed. */
export const readSiteChanges = (token: string, version?: number) =>
  callApi<SiteChanges>(`${base}/changes${version === undefined ? '' : `?version=${version}`}`, { token });

/** Publishes the draft with this number at a time, RFC 3339. */
export const scheduleSiteDraft = (token: string, section: string, number: number, at: string) =>
  callApi<void>(`${base}/schedule/${section}`, put(token, { number, at }));

export const unscheduleSiteDraft = (token: string, section: string) =>
  callApi<void>(`${base}/schedule/${section}`, remove(token));

export const discardSiteDraft = (token: string, section: string, number: number) =>
  callApi<void>(`${base}/drafts/${section}?number=${number}`, remove(token));

/** The address of the preview; add `?path=`. */
export const previewSite = (token: string) => callApi<{ url: string }>(`${base}/preview`, post(token));

/** The published pages at the address of the preview, at once. */
export const previewPublished = (token: string) =>
  callApi<{ url: string }>(`${base}/preview?published=true`, post(token));

export const publishSite = (token: string, version: number, drafts: Record<string, number>) =>
  callApi<{ version: number }>(`${base}/publish`, post(token, { version, drafts }));

/** Stores a picture, a file in base64; returns its name for the content. */
export const storeSitePicture = (token: string, data: string) =>
  callApi<{ picture: string }>(`${base}/pictures`, post(token, { data }));

/** A stored picture, a JPEG in base64. */
export const readSitePicture = (token: string, name: string) =>
  callApi<{ data: string }>(`${base}/pictures/${name}`, { token });

/** Publishes the version `to` of the history again; 0 is the shipped content. */
export const stepBackSite = (token: string, version: number, to: number) =>
  callApi<{ version: number }>(`${base}/back`, post(token, { version, to }));
