// The licensing page: the authority of each state, and our license numbers from config.toml.
import { company } from '../company';
import { licenses } from '../content/licenses';
import { PlainPage } from '../sections/plain-page';

export default function Licensing() {
  return (
    <PlainPage
      title="Licensing by state"
      lead="There is no national license for guard companies. Each state decides for itself, and some leave it to cities or counties. This is who decides, and where you can look us up."
    >
      <dl className="licenses">
        {licenses.map(({ slug, name, code, licensing }) => (
          <div key={code}>
            <dt>
              <a href={`/states/${slug}`}>{name}</a>
            </dt>
            <dd>{licensing.authority}</dd>
            <License code={code} />
          </div>
        ))}
      </dl>
      <p>
        In most states an armed officer needs a permit of their own on top of the guard license; each state’s
        page says so where we are sure. Rules change: the authority’s own site has the last word.
      </p>
    </PlainPage>
  );
}

function License({ code }: { code: string }) {
  const number = company.license(code);
  return number ? <dd data-if={`company.licenses.${code}`}>{`Our license: ${number}`}</dd> : null;
}
