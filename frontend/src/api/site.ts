// The calls about the site's content: drafts, preview, publishing, history.
import { callApi } from './admin-client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type SiteContent = Omit<Schemas['SiteContent'], 'sections'> & { sections: SiteSection[] };
export type SiteSection = Omit<Schemas['SiteSection'], 'value'> & { value: unknown };
export type SiteVersion = Schemas['SiteVersion'];
export type SiteChanges = Schemas['SiteChanges'];

const base = '/api/admin/site';

export function readSite(token: string): Promise<SiteContent> {
  return callApi(base, { token });
}

export function readSiteHistory(token: string): Promise<{ versions: SiteVersion[] }> {
  return callApi(`${base}/history`, { token });
}

/** `number` is that of the draft it replaces, 0 if there is none. */
export function saveSiteDraft(token: string, section: string, number: number, value: unknown) {
  return callApi<{ number: number }>(`${base}/drafts/${section}`, {
    method: 'PUT',
    token,
    body: { number, value },
  });
}

/** What publishing changes, or what a version of the history has changed. */
export function readSiteChanges(token: string, version?: number): Promise<SiteChanges> {
  return callApi(`${base}/changes${version === undefined ? '' : `?version=${version}`}`, { token });
}

/** Publishes the draft with this number at a time, RFC 3339. */
export function scheduleSiteDraft(token: string, section: string, number: number, at: string): Promise<void> {
  return callApi(`${base}/schedule/${section}`, { method: 'PUT', token, body: { number, at } });
}

export function unscheduleSiteDraft(token: string, section: string): Promise<void> {
  return callApi(`${base}/schedule/${section}`, { method: 'DELETE', token });
}

export function discardSiteDraft(token: string, section: string, number: number): Promise<void> {
  return callApi(`${base}/drafts/${section}?number=${number}`, { method: 'DELETE', token });
}

/** The address of the preview; add `?path=`. */
export function previewSite(token: string): Promise<{ url: string }> {
  return callApi(`${base}/preview`, { method: 'POST', token });
}

export function publishSite(token: string, version: number, drafts: Record<string, number>) {
  return callApi<{ version: number }>(`${base}/publish`, {
    method: 'POST',
    token,
    body: { version, drafts },
  });
}

/** Stores a picture, a file in base64; returns its name for the content. */
export function storeSitePicture(token: string, data: string): Promise<{ picture: string }> {
  return callApi(`${base}/pictures`, { method: 'POST', token, body: { data } });
}

/** A stored picture, a JPEG in base64. */
export function readSitePicture(token: string, name: string): Promise<{ data: string }> {
  return callApi(`${base}/pictures/${name}`, { token });
}

/** Publishes the version `to` of the history again; 0 is the shipped content. */
export function stepBackSite(token: string, version: number, to: number): Promise<{ version: number }> {
  return callApi(`${base}/back`, { method: 'POST', token, body: { version, to } });
}
