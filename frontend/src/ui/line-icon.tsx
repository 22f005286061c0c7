// A line icon by its path, and the paths that every page needs with its first load.

/** A telephone. */
export const phonePath =
  'M6.5 3.5h3l1.5 4-2 1.6a12 12 0 0 0 5.9 5.9l1.6-2 4 1.5v3a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4.5 5.7a2 2 0 0 1 2-2.2Z';

/** A cross. */
export const closePath = 'M6 6l12 12M18 6L6 18';

/** Any line icon, by its path. */
export function LineIcon({ path }: { path: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
