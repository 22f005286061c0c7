// A component whose code is loaded when it is first shown.
import { type ComponentType, useEffect, useState } from 'react';
import { Waiting } from './waiting';

export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  let loaded: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [, setDone] = useState(false);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (module) => {
          loaded = module.default;
          setDone(true);
        },
        () => setFailed(true),
      );
    }, []);
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    const problem = failed ? 'This part could not be loaded.' : '';
    return <Waiting problem={problem} retry={() => location.reload()} />;
  };
}
