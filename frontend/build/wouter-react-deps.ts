// The React exports that wouter needs. wouter's own file reads React through a computed key, which
// would keep every export of preact/compat in the bundle.
import { useEffect, useInsertionEffect, useLayoutEffect, useRef } from 'react';

export {
  cloneElement,
  createContext,
  createElement,
  Fragment,
  forwardRef,
  isValidElement,
  useContext,
  useInsertionEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

export const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

/** A function with a stable identity that always calls the latest version. */
export function useEvent<A extends unknown[], R>(latest: (...args: A) => R): (...args: A) => R {
  const held = useRef(latest);
  const stable = useRef((...args: A): R => held.current(...args));
  useInsertionEffect(() => {
    held.current = latest;
  });
  return stable.current;
}
