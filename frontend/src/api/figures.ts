// Figures of a period, and what needs doing.
import { callApi, download } from './admin-client';
import type { components } from './schema';

export type Figures = components['schemas']['FiguresOfPeriod'];
export type FiguresTable = components['schemas']['FiguresTable'];
export type FiguresRow = components['schemas']['FiguresRow'];
export type ToDo = components['schemas']['ToDo'];

/** `query` names the period: `period=week`, or `from=…&to=…`. */
export const readFigures = (token: string, query: string) =>
  callApi<Figures>(`/api/admin/figures?${query}`, { token });

/** A table as CSV. */
export const downloadTable = (token: string, key: string, query: string) =>
  download(`/api/admin/figures/${key}?${query}`, token);

/** The report of a period, as PDF. */
export const downloadReport = (token: string, query: string) => download(`/api/admin/report?${query}`, token);

/** What became orders of the clicks on ads, as CSV for the advertiser. */
export const downloadConversions = (token: string, query: string) =>
  download(`/api/admin/conversions?${query}`, token);

export const readToDo = (token: string) => callApi<ToDo>('/api/admin/to-do', { token });
