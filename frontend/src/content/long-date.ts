// Dates in words, without `Intl`, which the page renderer does not have.
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Formats a date of the content: "October 12, 2026". The page renderer has no `Intl`. */
export function longDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${months[Number(month) - 1]} ${day}, ${year}`;
}
