// The quote whose rejection waits for a second press of the key; for a few seconds only.
import { useEffect, useState } from 'react';

const patience = 4000;

export function usePendingConfirm(): [
  pendingConfirm: string | undefined,
  setPendingConfirm: (id: string | undefined) => void,
] {
  const [pendingConfirm, setPendingConfirm] = useState<string>();
  useEffect(() => {
    if (!pendingConfirm) return;
    const timer = setTimeout(setPendingConfirm, patience, undefined);
    return () => clearTimeout(timer);
  }, [pendingConfirm]);
  return [pendingConfirm, setPendingConfirm];
}
