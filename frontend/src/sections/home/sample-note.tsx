// Says once that entries of Home are samples. Public sites show neither the entries nor the note.
export function SampleNote() {
  return (
    <aside className="sample-note" data-if="company.samples">
      <p className="column">
        {'Clients, testimonials and news are samples, shown only on this computer. '}
        <a href="/admin/site">See what is still a sample</a>
      </p>
    </aside>
  );
}
