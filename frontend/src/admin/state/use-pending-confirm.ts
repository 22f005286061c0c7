// The quote whose rejection waits for a second key press, for a few seconds.
import { useEffect, useState } from 'react';

const confirmTimeout = 4000;

export function usePendingConfirm(): [
  pendingConfirm: string | undefined,
  setPendingConfirm: (id: string | undefined) => void,
] {
  const [pendingConfirm, setPendingConfirm] = useState<string>();
  useEffect(() => {
    if (!pendingConfirm) return;
    const timer = setTimeout(setPendingConfirm, confirmTimeout, undefined);
    return () => clearTimeout(timer);
  }, [pendingConfirm]);
  return [pendingConfirm, setPendingConfirm];
}
