// A sample certificate of insurance, drawn from the coverages that the office has entered. A limit
// that is not entered is not invented.
import { company } from '../company';
import { coverages } from '../content/office';
import { Rows } from './rows';
import { Table } from './table';

const parties = [
  {
    title: 'Insured',
    text: (
      <>
        {company.legal_name}
        <br />
        {company.street}
        <br />
        {`${company.city}, ${company.region}\u00a0${company.postal_code}`}
      </>
    ),
  },
  { title: 'Certificate holder', text: 'Your company’s legal name and address' },
];

const rest = [
  { title: 'Policy dates', text: 'Start and end: today should fall between them' },
  { title: 'Additional insured', text: 'Box marked, and your name on the endorsement' },
  { title: 'Description of operations', text: 'Your site and agreement number' },
  { title: 'Producer', text: 'The broker, with a phone number you can call' },
];

export function Certificate() {
  return (
    <figure className="certificate">
      <figcaption>Sample certificate of insurance (not valid)</figcaption>
      <Rows of={parties} look="sheet" />
      <Table
        columns={['Coverage', 'Insurer', 'Limit']}
        rows={coverages.map(({ title, limit, insurer }) => ({
          key: title,
          cells: [title, insurer || 'The insurer’s name', limit || 'What your contract requires'],
        }))}
      />
      <Rows of={rest} look="sheet" />
    </figure>
  );
}
