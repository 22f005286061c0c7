// A line icon by its path, and the path that every page needs with its first load.

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
