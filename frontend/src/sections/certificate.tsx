// A sample certificate of insurance, drawn from the coverages that the office has entered. A limit
// that is not entered is not invented.
import { company } from '../company';
import { coverages } from '../content/office';

export function Certificate() {
  return (
    <figure className="certificate">
      <figcaption>Sample certificate of insurance (not valid)</figcaption>
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
              <td data-label="Insurer">{insurer || 'The name of the insurance company'}</td>
              <td data-label="Limit">{limit || 'At least what your contract asks for'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl>
        <div>
          <dt>Policy dates</dt>
          <dd>Start and end: today should fall between them</dd>
        </div>
        <div>
          <dt>Additional insured</dt>
          <dd>Box marked, and your name on the endorsement</dd>
        </div>
        <div>
          <dt>Description of operations</dt>
          <dd>Your site and agreement number</dd>
        </div>
        <div>
          <dt>Producer</dt>
          <dd>The broker, with a phone number you can call</dd>
        </div>
      </dl>
    </figure>
  );
}
