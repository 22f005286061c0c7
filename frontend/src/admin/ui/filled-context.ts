import { createContext, useContext } from 'react';

/** A context without a default: its provider, and the hook that reads it inside of that. */
export function filledContext<T>(name: string) {
  const Context = createContext<T | null>(null);
  function useFilled(): T {
    const value = useContext(Context);
    if (!value) throw new Error(`no ${name} is around this component`);
    return value;
  }
  return [Context.Provider, useFilled] as const;
}
