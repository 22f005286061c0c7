// Each figure leads to the list behind it. `lists.json` has the API's call of each list; a test of
// the server compares the figures of a year with what these calls return.
import { expect, it } from 'vitest';
import { offersQuery, parseOffersUrl } from '../offers/list/offers-url';
import { filterQuery, parseDeskUrl } from '../requests/desk-url';
import lists from './lists.json';
import { type HrefOf, ofAnswers, ofDays, ofRequests, ofStates, tables } from './tables';
import { groups } from './words';

const days = { from: '2026-01-01', to: '2026-12-31' };

/** The call of the list at an address of the desk; undefined for a place on the page. */
function callOf(href: string | undefined): string | undefined {
  const [path, search = ''] = href?.split('?') ?? [];
  const isOffers = path === '/admin/offers';
  if (!isOffers && path !== '/admin') return undefined;
  const query = isOffers ? offersQuery(parseOffersUrl(search)) : filterQuery(parseDeskUrl(search));
  const text = String(new URLSearchParams(query));
  const call = text.replaceAll(days.from, 'FROM').replaceAll(days.to, 'UNTIL');
  return `/${isOffers ? 'offers' : 'inbox'}?${call}`;
}

type List = { table: string; value: string; column: string; call: string };

/** The lists of a table whose rows have one of these values. */
function listsOf(table: string, values: string[], columns: string[], hrefOf: HrefOf): List[] {
  const cells = values.flatMap((value) => columns.map((column) => ({ value, column })));
  return cells.flatMap(({ value, column }) => {
    const call = callOf(hrefOf(value, column, days));
    return call ? [{ table, value: value === days.from ? 'VALUE' : value, column, call }] : [];
  });
}

it('leads from each figure to a list that the server compares with it', () => {
  const totals = groups.flatMap(({ figures }) => figures);
  const columns = [...ofRequests, 'offers_sent', 'offers_accepted'];
  const found = [
    ...totals.flatMap(({ measure, href }) => listsOf('totals', [measure], ['number'], () => href(days))),
    ...listsOf('answers', ['requests', 'emergencies'], ['answered', 'within'], ofAnswers),
    ...listsOf('states', ['VALUE', ''], columns, ofStates),
    ...listsOf('days', [days.from], ['asked', 'answered', 'won'], ofDays),
    ...tables.flatMap(({ key, hrefOf }) => {
      // The other dimensions have a value in each row.
      const values = ['entry_pages', 'people', 'reasons'].includes(key) ? ['VALUE', ''] : ['VALUE'];
      return hrefOf ? listsOf(key, values, columns, hrefOf) : [];
    }),
  ];
  expect(found).toEqual(lists);
});
