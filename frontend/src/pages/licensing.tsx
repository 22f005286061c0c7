// The licensing page: our license in each state, its authority, and where to look it up.
import { holds, licenseOf } from '../content/conditions';
import { licenses } from '../content/licenses';
import { PlainPage } from '../sections/plain-page';

export default function Licensing() {
  return (
    <PlainPage
      title="Licensing by state"
      lead="There is no national license for guard companies. Most states license them; some leave it to cities or counties. Here is who licenses guards in each state, our license number, and where to look it up."
    >
      <h2>How to check a guard company</h2>
      <p>
        Ask for the company’s license number in the state where the guard will work. Look it up on the
        authority’s own site, and compare the holder’s name with the one on your quote. Ask for a certificate
        of insurance that names you. If a company hesitates on either one, look elsewhere.
      </p>
      <h2>Our licenses</h2>
      <table className="licenses">
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Our license</th>
            <th scope="col">Licensing authority</th>
          </tr>
        </thead>
        <tbody>
          {licenses.map((state) => (
            <LicenseRow key={state.code} state={state} />
          ))}
        </tbody>
      </table>
      <h2>Armed guards</h2>
      <p>
        In most states an armed officer needs a permit on top of the guard license. Each state’s page says so
        where we are sure. Rules change: the authority’s own site has the last word.
      </p>
    </PlainPage>
  );
}

function LicenseRow({ state: { slug, name, code, licensing } }: { state: (typeof licenses)[number] }) {
  const { number, holder, expires } = licenseOf(code);
  return (
    <tr>
      <th scope="row">
        <a href={`/states/${slug}`}>{name}</a>
      </th>
      <td>
        {number ? (
          <p data-if={`company.licenses.${code}`}>
            <strong>{number}</strong>
            {` ${holder}`}
            {expires ? (
              <span data-if={`company.license_expires.${code}`}>{`, through ${expires}`}</span>
            ) : null}
          </p>
        ) : null}
        {licensing.statewide ? null : 'No state license exists'}
        {licensing.statewide && holds(`!company.licenses.${code}`) ? (
          <span data-if={`!company.licenses.${code}`}>Ask us for the number</span>
        ) : null}
      </td>
      <td>{licensing.lookup ? <a href={licensing.lookup}>{licensing.authority}</a> : licensing.authority}</td>
    </tr>
  );
}
