// The licensing page: our licenses, how each state licenses guard companies, and where to look one
// up.
import { holds, licenseOf } from '../content/conditions';
import { licenses } from '../content/licenses';
import { PlainPage } from '../sections/plain-page';
import '../styles/inner.css';

export default function Licensing() {
  return (
    <PlainPage
      title="Licensing by state"
      lead="There is no national license for guard companies. Most states license them; some leave it to cities or counties. Here is who licenses guards in each state, and where to look up a company."
    >
      <h2>How to check a guard company</h2>
      <p>
        Ask for the company’s license number in the state where the guard will work. Look it up with the
        licensing authority, and compare the holder’s name with the one on your quote. Ask to be added as an
        additional insured. If a company hesitates on either, look elsewhere.
      </p>
      <h2>Our licenses</h2>
      <p>
        We post guards in a state only under the license it requires. Our license number for your state is on
        your quote and in your agreement; ask, and we send it sooner.
      </p>
      {holds('company.licensed') ? (
        <table className="licenses" data-if="company.licensed">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Our license</th>
            </tr>
          </thead>
          <tbody>
            {licenses.map((state) => (
              <LicenseRow key={state.code} state={state} />
            ))}
          </tbody>
        </table>
      ) : null}
      <h2>Who licenses guards in each state</h2>
      <table className="licenses">
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">How it licenses</th>
            <th scope="col">Where to look it up</th>
          </tr>
        </thead>
        <tbody>
          {licenses.map(({ slug, name, code, licensing }) => (
            <tr key={code}>
              <th scope="row">
                <a href={`/states/${slug}`}>{name}</a>
              </th>
              <td>
                {licensing.text}
                {holds(`company.expired.${code}`) ? (
                  <strong data-if={`company.expired.${code}`}> Our license is being renewed.</strong>
                ) : null}
              </td>
              <td>
                {licensing.lookup ? (
                  <a href={licensing.lookup}>{licensing.authority}</a>
                ) : (
                  licensing.authority
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Armed guards</h2>
      <p>
        In most states an armed officer needs a permit on top of the guard license. Each state’s page says so.
        Rules change: check the authority’s own site for the current ones.
      </p>
    </PlainPage>
  );
}

type State = (typeof licenses)[number];

/** The row of a state in which we hold a license. */
function LicenseRow({ state: { slug, name, code } }: { state: State }) {
  const { number, holder, expires } = licenseOf(code);
  if (!number) return null;
  return (
    <tr data-if={`company.licenses.${code}`}>
      <th scope="row">
        <a href={`/states/${slug}`}>{name}</a>
      </th>
      <td>
        <strong>{number}</strong>
        {` ${holder}`}
        {expires ? <span data-if={`company.license_expires.${code}`}>{`, through ${expires}`}</span> : null}
      </td>
    </tr>
  );
}
