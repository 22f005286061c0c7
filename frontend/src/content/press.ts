// Press releases, newest first, from seeds/site/press.json.
import press from '@seeds/site/press.json';

export { press };

/** Formats a date of the seeds: "October 12, 2026". */
export function longDate(date: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}
