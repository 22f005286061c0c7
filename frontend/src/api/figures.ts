// Figures of a period, and what needs doing.
import { callApi, download } from './admin-client';
import type { components } from './schema';

export type Figures = components['schemas']['FiguresOfPeriod'];
export type FiguresTable = components['schemas']['FiguresTable'];
export type FiguresRow = components['schemas']['FiguresRow'];
export type ToDo = components['schemas']['ToDo'];

/** `query` names the period: `period=week`, or `from=…&to=…`. */
export function readFigures(token: string, query: string): Promise<Figures> {
  return callApi(`/api/admin/figures?${query}`, { token });
}

/** A table as CSV. */
export function downloadTable(token: string, key: string, query: string): Promise<Blob> {
  return download(`/api/admin/figures/${key}?${query}`, token);
}

/** The report of a period, as PDF. */
export function downloadReport(token: string, query: string): Promise<Blob> {
  return download(`/api/admin/report?${query}`, token);
}

/** What became orders of the clicks on ads, as CSV for the advertiser. */
export function downloadConversions(token: string, query: string): Promise<Blob> {
  return download(`/api/admin/conversions?${query}`, token);
}

export function readToDo(token: string): Promise<ToDo> {
  return callApi('/api/admin/to-do', { token });
}
