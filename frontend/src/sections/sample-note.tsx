// Says once, at the top of a page, that it shows samples. Public sites show neither the entries nor
// the note, also after a navigation in the browser.
import { holds } from '../content/conditions';

/** `of`: the entries of the page that may be samples. */
export function SampleNote({ of }: { of: readonly { sample: boolean }[] }) {
  if (!of.some(({ sample }) => sample) || !holds('company.samples')) return null;
  return (
    <aside className="sample-note" data-if="company.samples">
      <div className="column">
        {'Some entries on this page are samples, shown only on this computer. '}
        <a href="/admin/site">See what is still a sample</a>
      </div>
    </aside>
  );
}
