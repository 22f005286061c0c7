// What stands in place of a list or a page that is not there yet: lines while it is read, or why it
// could not be, and a way to try again. What says that a page which was read may be out of date.
import { useState } from 'react';
import { Button } from '../../ui/button';
import { FormAlert } from './auth-card';
import { usePolling } from './use-polling';

type Props = {
  /** Why it could not be read, or empty. */
  problem: string;
  retry(): void;
};

export function Waiting({ problem, retry }: Props) {
  if (!problem) {
    return (
      <div className="waiting" role="status">
        <span className="visually-hidden">Loading</span>
        {[1, 2, 3, 4].map((line) => (
          <div key={line} className="row-blank" aria-hidden="true" />
        ))}
      </div>
    );
  }
  return (
    <div className="empty">
      <FormAlert text={navigator.onLine ? problem : `You are offline. ${problem}`} />
      <Button look="line" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}

/** Says at the foot of the window that the browser is offline. */
export function OfflineNotice() {
  const [offline, setOffline] = useState(!navigator.onLine);
  usePolling(() => setOffline(!navigator.onLine), false);
  return (
    <p className="stale" role="status">
      {offline ? 'You are offline. What you see may be out of date.' : ''}
    </p>
  );
}
