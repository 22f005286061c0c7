// A list of the content: its entries with buttons to move and remove them, and one to add another.
import { type ComponentType, useEffect, useRef } from 'react';
import { Button } from '../../ui/button';
import { Folded } from './folded';
import { blank, type Editing, entryTitle, moved, type Path, pointer, type Shape } from './shape';

/** Draws the form of a value. */
type Draw = ComponentType<{ shape: Shape; label: string; value: unknown; path: Path; editing: Editing }>;

type Props = {
  shape: Shape;
  label: string;
  value: unknown[];
  path: Path;
  editing: Editing;
  draw: Draw;
};

export function ListField({ shape, label, value, path, editing, draw }: Props) {
  const list = useRef<HTMLDivElement>(null);
  /** The button that takes the focus after the list is drawn again. */
  const focus = useRef('');
  const of = shape.of as Shape;
  const fault = editing.faults[pointer(path)];
  const change = (next: unknown[], button: string) => {
    focus.current = button;
    editing.change(path, next);
  };
  useEffect(() => {
    if (!focus.current) return;
    const wanted = focus.current;
    focus.current = '';
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const found = buttons.filter((button) => button.dataset.list === pointer(path));
    (found.find(({ dataset }) => dataset.does === wanted) ?? found.at(-1))?.focus();
  });

  const button = (does: string, name: string, text: string, next: () => unknown[], disabled = false) => (
    <button
      type="button"
      className="site-move"
      data-list={pointer(path)}
      data-does={does}
      aria-label={`${text} ${name}`}
      disabled={disabled || editing.disabled}
      onClick={() =>
        change(next(), does.startsWith('remove') ? `remove ${Number(does.split(' ')[1])}` : nextOf(does))
      }
    >
      {text}
    </button>
  );

  return (
    <div ref={list} className="site-list">
      {label ? <h3 className="site-label">{label}</h3> : null}
      <p className="field-error" hidden={!fault}>
        {fault ? `This list ${fault}.` : ''}
      </p>
      <ul className="plain-list">
        {value.map((entry, nth) => {
          const name = of.type === 'object' ? entryTitle(entry, nth) : `${shape.one} ${nth + 1}`;
          const sample = of.type === 'object' && (entry as { sample?: boolean }).sample === true;
          const at = [...path, nth];
          return (
            <li key={nth}>
              <div className="site-entry">
                <Entry draw={draw} shape={of} name={name} value={entry} path={at} editing={editing} />
                {sample ? (
                  <p className="field-hint">
                    A sample: a public site does not show it. Open it to make it a real entry.
                  </p>
                ) : null}
              </div>
              {shape.fixed ? null : (
                <div className="site-moves">
                  {button(`up ${nth}`, name, 'Up', () => moved(value, nth, nth - 1), nth === 0)}
                  {button(
                    `down ${nth}`,
                    name,
                    'Down',
                    () => moved(value, nth, nth + 1),
                    nth === value.length - 1,
                  )}
                  {button(
                    `remove ${nth}`,
                    name,
                    'Remove',
                    () => value.filter((_, other) => other !== nth),
                    value.length <= (shape.min ?? 0),
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {shape.fixed ? null : (
        <Button
          look="line"
          data-list={pointer(path)}
          disabled={editing.disabled || value.length >= (shape.max ?? 0)}
          onClick={() => editing.change(path, [...value, blank(of)])}
        >
          {`Add ${shape.one}`}
        </Button>
      )}
    </div>
  );
}

/** The button that moves the same entry on. */
function nextOf(does: string): string {
  const [direction, nth] = does.split(' ');
  return `${direction} ${Number(nth) + (direction === 'up' ? -1 : 1)}`;
}

type EntryProps = { draw: Draw; shape: Shape; name: string; value: unknown; path: Path; editing: Editing };

function Entry({ draw: Draw, shape, name, value, path, editing }: EntryProps) {
  if (shape.type !== 'object')
    return <Draw shape={shape} label={name} value={value} path={path} editing={editing} />;
  return (
    <Folded title={name} path={path} editing={editing}>
      {() => <Draw shape={shape} label="" value={value} path={path} editing={editing} />}
    </Folded>
  );
}
