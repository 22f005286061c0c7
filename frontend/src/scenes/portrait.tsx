// A drawn portrait of a quoted person. An operator photo of the same name replaces it, as with
// scenes.
import { company } from '../company';

/** Hair, hat or hood, drawn over the same head. */
const hairPaths = [
  'M20 27c-1-10 4-15 12-15s13 5 12 15c-2-4-6-6-12-6s-10 2-12 6Z',
  'M19 24c0-8 5-12 13-12s13 4 13 12h3v2H16v-2z',
  'M19 40c-3-16 1-28 13-28s16 12 13 28c-2-3-3-8-3-13-3-1-6-3-8-6-3 4-7 6-12 6 0 5-1 10-3 13Z',
  'M20 25c0-8 5-12 12-12s12 4 12 12c-3-5-7-6-12-6s-9 1-12 6Z',
  'M18 34c-2-13 3-22 14-22s16 9 14 22l-3 2c1-7-1-12-4-15-5 3-11 4-16 3-2 3-3 7-2 12z',
  'M20 26c-2-8 4-14 12-14 7 0 13 5 12 13-3-2-4-5-5-6-4 3-12 5-19 7Z',
];

export function Portrait({ name, nth: index }: { name: string; nth: number }) {
  const photo = company.photos?.[name];
  return (
    <div className="portrait" data-scene={name} aria-hidden="true">
      {photo ? (
        <img src={photo} alt="" width="64" height="64" loading="lazy" decoding="async" />
      ) : (
        <svg viewBox="0 0 64 64" width="64" height="64" aria-hidden="true">
          <path className="mid" d="M0 0h64v64H0z" />
          <path className="body" d="M8 64c1-13 9-19 24-19s23 6 24 19z" />
          <path className="face" d="M21 27c0-8 4-12 11-12s11 4 11 12c0 9-4 16-11 16s-11-7-11-16Z" />
          <path className="crown" d={hairPaths[index % hairPaths.length]} />
        </svg>
      )}
    </div>
  );
}
