// The site of a request: a map, and the time that it is there.

export function MapLink({ location }: { location: string }) {
  return (
    <a className="place-map" href={mapLink(location)} target="_blank" rel="noopener noreferrer">
      Map
    </a>
  );
}

/** Opens the maps program of a phone, and the site of the maps elsewhere. */
export function mapLink(location: string): string {
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(location)}`;
}

/** As in `Tue, 4:05 PM CST`. */
export function timeThere(now: number, timeZone: string): string {
  return new Date(now).toLocaleString('en-US', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
}
