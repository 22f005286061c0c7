// Says that entries are samples. Public sites show neither the entries nor the note.
export function SampleNote({ of }: { of: string }) {
  return (
    <p className="muted" data-if="company.samples">
      {`Sample ${of}: only this computer shows them. On a public address they are left out.`}
    </p>
  );
}
