// The rows of a price: one for one thing, as the customer reads them
// (src/domain/offer/document/prices.rs).
import type { Line, Price, Terms } from '../../../api/offer-types';
import { counted, dollars } from './amounts';
import { scheduleText } from './schedule-text';
import { daysOf } from './shifts';

/** Ends the title of a line that charges more time than a short shift has. */
const upToMinimum = ', up to the minimum shift';

export type PriceRow = {
  post: number | null;
  title: string;
  /** How the amount came about. */
  parts: string[];
  cents: number;
  isManual: boolean;
};

export function priceRows({ lines }: Price, terms: Terms): PriceRow[] {
  const groups: Line[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const [before] = last ?? [];
    const isSame = before && line.post !== null && before.post === line.post && thing(before) === thing(line);
    if (isSame) last?.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group, nth) => {
    const [first] = group;
    if (!first) return [];
    const isStaff = first.post !== null && first.post !== groups[nth - 1]?.[0]?.post;
    return {
      post: first.post,
      title: isStaff ? staffed(first, terms) : thing(first),
      parts: group.length > 1 ? group.map((line) => `${how(line)}: ${dollars(line.cents)}`) : singly(first),
      cents: group.reduce((sum, { cents }) => sum + cents, 0),
      isManual: first.is_manual,
    };
  });
}

const thing = ({ title }: Line) =>
  title.endsWith(upToMinimum) ? title.slice(0, -upToMinimum.length) : title;
const how = (line: Line) => (line.title.endsWith(upToMinimum) ? line.how + upToMinimum : line.how);
const singly = (line: Line) => (line.how ? [how(line)] : []);

/** What staffs a post and when, such as "Fire watch officer, 24 hours a day, 7 days". */
function staffed(line: Line, terms: Terms): string {
  const post = terms.posts[line.post ?? 0];
  if (!post) return thing(line);
  const staff = post.officers === 1 ? thing(line) : `${post.officers} × ${thing(line)}`;
  const title = `${staff}, ${scheduleText(post.schedule)}`;
  const isDated = post.schedule.kind === 'single';
  return terms.end === null || isDated ? title : `${title}, ${counted(daysOf(terms).count, 'day')}`;
}
