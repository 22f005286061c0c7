// The list of keys, and the switch that turns them off.
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { setShortcuts, shortcutsEnabled } from '../ui/keys';
import { shortcutGroups } from './shortcuts';

export function ShortcutsHelp({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [on, setOn] = useState(shortcutsEnabled);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // It opens at its top: its first control is at its end.
    title.current?.focus();
  }, []);
  return (
    <dialog ref={dialog} className="help keys-help" aria-labelledby="help-title" onClose={close}>
      <h2 ref={title} id="help-title" tabIndex={-1}>
        Keys
      </h2>
      {shortcutGroups.map(([group, shortcuts]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {shortcuts.map(({ keys, does }) => (
              <div key={does}>
                <dt>
                  {keys.map((key, at) => (
                    <kbd key={at}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div className="field">
        <label className="field-check">
          <input
            type="checkbox"
            checked={on}
            onChange={(event) => {
              setOn(event.currentTarget.checked);
              setShortcuts(event.currentTarget.checked);
            }}
          />
          Use single keys on this computer
        </label>
      </div>
      <form method="dialog">
        <Button type="submit" look="ink">
          Close
        </Button>
      </form>
    </dialog>
  );
}
