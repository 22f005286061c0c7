// A sample of the report that a customer gets after each shift, drawn as the sheet that it is.
// scripts/shift-report.mjs makes the PDF of it.
import { company } from '../company';
import { profile } from '../content/profile';
import { Beside } from './beside';
import { Rows } from './rows';
import { Table } from './table';

export function ShiftReport() {
  const { heading, text, head, rows, attention, download } = profile.shift_report;
  return (
    <Beside id="shift-report" kicker="A sample" title={heading} background="mist">
      <p>{text}</p>
      <figure className="certificate">
        <figcaption>{`${company.name}: shift report`}</figcaption>
        <Rows of={head} look="sheet" />
        <Table
          columns={['Time', 'What happened']}
          rows={rows.map((entry) => ({ key: entry.title, cells: [entry.title, entry.text] }))}
        />
        <p className="attention">
          <strong>Needs attention: </strong>
          {attention}
        </p>
      </figure>
      <p className="actions">
        <a href={download} download>
          Download this sample (PDF)
        </a>
      </p>
    </Beside>
  );
}
