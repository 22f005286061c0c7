// The licensing page: our licenses, how each state licenses guard companies, and where to look one
// up.
import { holds, licenseOf } from '../content/conditions';
import { licenses } from '../content/licenses';
import { PlainPage } from '../sections/plain-page';
import { Table } from '../sections/table';
import '../styles/inner.css';

export default function Licensing() {
  return (
    <PlainPage
      title="Licensing by state"
      lead="There is no national license for guard companies. Most states license them; some leave it to cities or counties. Here is who licenses guards in each state, and where to look up a company."
      scene="license"
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
        your quote and in your agreement. If you need it before then, just ask.
      </p>
      {holds('company.licensed') ? (
        <Table
          condition="company.licensed"
          columns={['State', 'Our license']}
          rows={licenses.filter(({ code }) => licenseOf(code).number).map(licenseRow)}
        />
      ) : null}
      <h2>Who licenses guards in each state</h2>
      <Table
        columns={['State', 'How it works', 'Where to look it up']}
        rows={licenses.map((state) => ({
          key: state.code,
          cells: [<StateLink key="state" {...state} />, rulesOf(state), lookupOf(state)],
        }))}
      />
      <h2>Armed guards</h2>
      <p>
        In most states an armed officer needs a permit on top of the guard license. Each state’s page says so.
        Rules change: check the authority’s own site for the current ones.
      </p>
    </PlainPage>
  );
}

type State = (typeof licenses)[number];

function StateLink({ slug, name }: State) {
  return <a href={`/states/${slug}`}>{name}</a>;
}

function rulesOf({ code, licensing }: State) {
  return (
    <>
      {licensing.text}
      {holds(`company.expired.${code}`) ? (
        <strong data-if={`company.expired.${code}`}> Our license is being renewed.</strong>
      ) : null}
    </>
  );
}

function lookupOf({ licensing: { lookup, authority } }: State) {
  return lookup ? <a href={lookup}>{authority}</a> : authority;
}

/** The row of a state in which we hold a license. */
function licenseRow(state: State) {
  const { number, holder, expires } = licenseOf(state.code);
  const license = (
    <>
      <strong>{number}</strong>
      {` ${holder}`}
      {expires ? (
        <span data-if={`company.license_expires.${state.code}`}>{`, through ${expires}`}</span>
      ) : null}
    </>
  );
  return {
    key: state.code,
    condition: `company.licenses.${state.code}` as const,
    cells: [<StateLink key="state" {...state} />, license],
  };
}
