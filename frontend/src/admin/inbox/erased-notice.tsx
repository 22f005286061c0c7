// What the erasure of a person has deleted; it stays until it is closed, since nothing else shows
// it afterwards.
import { useEffect, useRef } from 'react';
import type { VisitorData } from '../../api/person';
import { Button } from '../../ui/button';
import { storedText } from '../panel/person/stored-text';

export function ErasedNotice({ data, close }: { data: VisitorData | undefined; close(): void }) {
  const title = useRef<HTMLHeadingElement>(null);
  // The panel with the form that had the focus is gone.
  useEffect(() => title.current?.focus(), [data]);
  if (!data) return null;
  return (
    <section className="refusals erased" aria-labelledby="erased-title">
      <h2 id="erased-title" ref={title} tabIndex={-1}>
        {data.email} is erased
      </h2>
      <p>
        Deleted: {storedText(data)}. The erasure is written down: a restored backup erases it again.
        {data.has_account ? ' The account with this address stays.' : ''}
      </p>
      <Button look="line" onClick={close}>
        Close
      </Button>
    </section>
  );
}
