// Where the office is: its address, hours and place on the map.
import { company } from '../../company';
import { OfficeMap } from '../../scenes/office-map';
import { Section } from '../section';

export function Office() {
  const { street, city, region, postal_code, hours, address } = company;
  return (
    <Section id="office" kicker="Head office" title={`Our head office in ${city}`} background="ink">
      <div className="split">
        <div>
          <p className="lead">
            {street}
            <br />
            {`${city}, ${region} ${postal_code}`}
          </p>
          <p>{hours}</p>
          <p>Please call before you visit, so that the right person is there to meet you.</p>
          <p>
            <a href={`https://www.openstreetmap.org/search?query=${address}`}>Find it on a map</a>
          </p>
        </div>
        <OfficeMap />
      </div>
    </Section>
  );
}
