// The quote whose rejection waits for a second press of the key; for a few seconds only.
import { useEffect, useState } from 'react';

const patience = 4000;

export function useArmed(): [armed: string | undefined, arm: (id: string | undefined) => void] {
  const [armed, arm] = useState<string>();
  useEffect(() => {
    if (!armed) return;
    const timer = setTimeout(arm, patience, undefined);
    return () => clearTimeout(timer);
  }, [armed]);
  return [armed, arm];
}
