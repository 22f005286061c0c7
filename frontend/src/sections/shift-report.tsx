// A sample of the report that a customer gets after each shift, drawn as the sheet that it is.
// scripts/shift-report.mjs makes the PDF of it.
import { company } from '../company';
import { profile } from '../content/profile';
import { Beside } from './beside';

export function ShiftReport() {
  const { heading, text, head, rows, attention, download } = profile.shift_report;
  return (
    <Beside id="shift-report" kicker="A sample" title={heading} background="mist">
      <p>{text}</p>
      <figure className="certificate">
        <figcaption>{`${company.name}: shift report`}</figcaption>
        <dl>
          {head.map((field) => (
            <div key={field.title}>
              <dt>{field.title}</dt>
              <dd>{field.text}</dd>
            </div>
          ))}
        </dl>
        <table className="licenses">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">What happened</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((entry) => (
              <tr key={entry.title}>
                <th scope="row">{entry.title}</th>
                <td>{entry.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
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
