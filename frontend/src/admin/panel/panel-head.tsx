// The head of the panel, one line: close, previous and next in the filter, print; what it is; and
// the reference to say on the phone.
import type { ReactNode } from 'react';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { toast } from '../../ui/toast';

type Props = {
  close(): void;
  /** Opens the next or previous request of the list; undefined if there is none. */
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
  children: ReactNode;
};

export function PanelHead({ close, previous, next, children }: Props) {
  return (
    <div className="panel-top">
      <Button look="quiet" className="panel-back" onClick={close}>
        <Icon name="close" />
        Close
      </Button>
      <Button look="quiet" disabled={!previous} onClick={previous}>
        Previous
      </Button>
      <Button look="quiet" disabled={!next} onClick={next}>
        Next
      </Button>
      <Button look="quiet" onClick={() => print()}>
        Print
      </Button>
      {children}
    </div>
  );
}

/** The reference; a press copies it. */
export function Reference({ text }: { text: string }) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: 'Copied', detail: text });
    } catch {
      toast({ title: 'Not copied', detail: `Select ${text} and copy it.`, destructive: true });
    }
  }
  return (
    <Button look="quiet" className="reference" title="Copy the reference" onClick={copy}>
      <span className="visually-hidden">Copy the reference </span>
      {text}
    </Button>
  );
}
