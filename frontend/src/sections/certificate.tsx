// A sample certificate of insurance, drawn from the coverages that the office has entered. A limit
// that is not entered is not invented.
import { company } from '../company';
import { coverages } from '../content/office';

export function Certificate() {
  return (
    <figure className="certificate">
      <figcaption>Certificate of insurance: a sample, not valid</figcaption>
      <dl>
        <div>
          <dt>Insured</dt>
          <dd>{company.legal_name}</dd>
          <dd>{company.address}</dd>
        </div>
        <div>
          <dt>Certificate holder</dt>
          <dd>Your company’s legal name</dd>
          <dd>Your address</dd>
        </div>
      </dl>
      <table className="licenses">
        <thead>
          <tr>
            <th scope="col">Coverage</th>
            <th scope="col">Insurer</th>
            <th scope="col">Limit</th>
          </tr>
        </thead>
        <tbody>
          {coverages.map(({ title, limit, insurer }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td data-label="Insurer">{insurer || 'Named on your certificate'}</td>
              <td data-label="Limit">{limit || 'As your agreement says'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl>
        <div>
          <dt>Policy dates</dt>
          <dd>From and to: today must lie between them</dd>
        </div>
        <div>
          <dt>Additional insured</dt>
          <dd>Marked, and your name in the endorsement</dd>
        </div>
        <div>
          <dt>Description of operations</dt>
          <dd>Your site and the number of your agreement</dd>
        </div>
        <div>
          <dt>Producer</dt>
          <dd>The broker, with a number you can call</dd>
        </div>
      </dl>
    </figure>
  );
}
