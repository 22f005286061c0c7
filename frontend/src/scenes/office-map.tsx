// The map of the states with the office's city marked. It is a fact that only the server knows: a
// city without coordinates in seeds/site/cities.json has no mark.
import map from 'virtual:us-map';
import cities from '../../generated/us-cities.svg';
import picture from '../../generated/us-map.svg';
import { company } from '../company';

export function OfficeMap() {
  const { city, region } = company;
  return (
    <svg
      viewBox={`0 0 ${map.width} ${map.height}`}
      role="img"
      aria-label={`Map of the states: our office is in ${city}, ${region}`}
    >
      {map.states.map(({ code }) => (
        <use key={code} href={`${picture}#${code}`} />
      ))}
      <use href={`${cities}#${region}-${city}`} />
    </svg>
  );
}
