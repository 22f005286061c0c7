// Says once that Home shows samples. Public sites show neither the entries nor the note, also after
// a navigation in the browser.
import { clients, testimonials } from '../../content/clients';
import { holds } from '../../content/conditions';
import { press } from '../../content/press';

const hasSamples = [...clients, ...testimonials, ...press].some(({ sample }) => sample);

export function SampleNote() {
  if (!hasSamples || !holds('company.samples')) return null;
  return (
    <aside className="sample-note" data-if="company.samples">
      <p className="column">
        {'Some entries on this page are samples, shown only on this computer. '}
        <a href="/admin/site">See what is still a sample</a>
      </p>
    </aside>
  );
}
