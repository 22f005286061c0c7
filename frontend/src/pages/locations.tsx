// The locations page: the head office, and all states as a map and a list.
import { company } from '../company';
import { Scene } from '../scenes/scene';
import { CallAndQuote } from '../sections/call-and-quote';
import { Office } from '../sections/contact/office';
import { DarkBand } from '../sections/dark-band';
import { StatesGrid } from '../sections/home/states-grid';
import { Stats } from '../ui/stats';
import '../styles/inner.css';
import '../styles/sections/office.css';
import '../styles/sections/states.css';

export default function Locations() {
  const facts = [
    { value: '50', label: 'states' },
    { value: '24/7', label: 'one dispatch center' },
    { value: company.promise_arrival, label: 'to be on site in an emergency' },
    { value: company.promise_start, label: 'to start a planned post' },
  ];
  return (
    <>
      <DarkBand picture={<Scene name="locations" />} footer={<Stats of={facts} />}>
        <h1>Find your state</h1>
        <p className="lead">
          {`Officers live and are licensed where they work, and one dispatch center in ${company.city} answers every call. Each state’s page says who licenses guards there, when a fire watch is required, and which cities we serve.`}
        </p>
        <CallAndQuote label="Get Free Quote" />
      </DarkBand>
      <StatesGrid />
      <Office />
    </>
  );
}
