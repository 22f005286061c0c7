// Says that entries are samples. Public sites show neither the entries nor the note.
export function SampleNote({ of }: { of: string }) {
  return (
    <p className="muted" data-if="company.samples">
      {`Sample ${of}: shown only on this computer. A public site leaves them out.`}
    </p>
  );
}
