// Functions that stay the same at each rendering and call the latest ones: what gets them renders
// again only when its other properties change.
import { useMemo, useRef } from 'react';

// biome-ignore lint/suspicious/noExplicitAny: each function keeps its own parameters
type Functions = Record<string, (...args: any[]) => unknown>;

export function useStable<T extends Functions>(functions: T): T {
  const latest = useRef(functions);
  latest.current = functions;
  return useMemo(() => {
    const stable = (name: string) => [name, (...args: unknown[]) => latest.current[name]?.(...args)] as const;
    return Object.fromEntries(Object.keys(latest.current).map(stable)) as T;
  }, []);
}
