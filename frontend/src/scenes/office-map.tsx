// The map of the states with the office's city marked: two shapes of a file, since fifty states
// would be laid out one by one. The city is a fact that only the server knows: one without
// coordinates in seeds/site/cities.json has no mark.
import map from 'virtual:us-map';
import cities from '../../generated/us-cities.svg';
import { company } from '../company';
import { later } from './later';

export function OfficeMap() {
  const { city, region } = company;
  return (
    <svg
      viewBox={`0 0 ${map.width} ${map.height}`}
      role="img"
      aria-label={`Map of the states: our office is in ${city}, ${region}`}
    >
      <use {...later(`${cities}#states`)} />
      <use {...later(`${cities}#${region}-${city}`)} />
    </svg>
  );
}
