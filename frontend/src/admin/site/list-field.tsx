// A list of the content: its entries with buttons to move and remove them, and one to add another.
// A long list has a search.
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button';
import { FieldError } from '../ui/field';
import { Folded } from './folded';
import { blank, type Editing, entryTitle, faultText, moved, type Path, pointer, type Shape } from './shape';

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

/** From this number of entries on, a list has a search. */
const searchedFrom = 12;

let entries = 0;
const newId = () => {
  entries += 1;
  return entries;
};

export function ListField({ shape, label, value, path, editing, draw }: Props) {
  const list = useRef<HTMLDivElement>(null);
  /**
   * What takes the focus after the list is drawn again: a button, or the first field of an entry.
   */
  const focus = useRef<{ button?: string; entry?: number }>({});
  /** A name for each entry that stays when others are moved. */
  const [ids, setIds] = useState<number[]>([]);
  const [added, setAdded] = useState(0);
  const [words, setWords] = useState('');
  const of = shape.of as Shape;
  const fault = editing.faults[pointer(path)];
  // After a change from outside the names are given anew.
  const known = ids.length === value.length ? ids : [];
  const current = value.map((_, nth) => known[nth] ?? -1 - nth);

  const change = (from: number[], to: readonly number[], button?: string) => {
    const values = new Map(current.map((id, nth) => [id, value[nth]]));
    focus.current = { button };
    setIds([...to]);
    editing.change(
      path,
      to.map((id) => (from.includes(id) ? values.get(id) : blank(of))),
    );
  };
  const add = () => {
    const id = newId();
    setAdded(id);
    setWords('');
    change(current, [...current, id]);
    focus.current = { entry: id };
  };

  useEffect(() => {
    const { button, entry } = focus.current;
    if (!button && entry === undefined) return;
    focus.current = {};
    if (entry !== undefined) {
      const row = list.current?.querySelector(`[data-entry="${entry}"]`);
      row?.querySelector<HTMLElement>('input, textarea, select')?.focus();
      return;
    }
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const found = buttons.filter(({ dataset }) => dataset.list === pointer(path));
    (found.find(({ dataset }) => dataset.does === button) ?? found.at(-1))?.focus();
  });

  const button = (does: string, name: string, to: readonly number[], next: string, disabled: boolean) => (
    <button
      type="button"
      className="site-move"
      data-list={pointer(path)}
      data-does={does}
      aria-label={`${does.split(' ')[0]} ${name}`}
      disabled={disabled || editing.disabled}
      onClick={() => change(current, to, next)}
    >
      {does.split(' ')[0]}
    </button>
  );

  const rows = value.map((entry, nth) => ({
    entry,
    nth,
    id: current[nth] as number,
    name: of.type === 'object' ? entryTitle(entry, shape) : `${shape.one} ${nth + 1}`,
  }));
  const wanted = words.trim().toLowerCase();
  const shown = wanted ? rows.filter(({ name }) => name.toLowerCase().includes(wanted)) : rows;
  const one = shape.one ?? 'entry';
  return (
    <div ref={list} className="site-list">
      {label ? <h3 className="site-label">{label}</h3> : null}
      {value.length >= searchedFrom && of.type === 'object' ? (
        <div className="field">
          <label
            htmlFor={`search${pointer(path)}`}
          >{`Search ${value.length.toLocaleString('en-US')} entries`}</label>
          <input
            id={`search${pointer(path)}`}
            className="input"
            type="search"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <p className="field-hint" role="status">
            {wanted && !shown.length ? `No ${one} has this name.` : ''}
          </p>
        </div>
      ) : null}
      <FieldError text={faultText('This list', fault)} />
      <ul className="plain-list">
        {shown.map(({ entry, nth, id, name }) => (
          <li key={id} data-entry={id}>
            <div className="site-entry">
              <Entry
                draw={draw}
                shape={of}
                name={name}
                value={entry}
                path={[...path, nth]}
                editing={editing}
                isNew={id === added}
              />
              {of.type === 'object' && (entry as { sample?: boolean }).sample === true ? (
                <p className="field-hint">
                  A sample: a public site does not show it. Open it to make it a real entry.
                </p>
              ) : null}
            </div>
            {shape.fixed ? null : (
              <div className="site-moves">
                {button(`Up ${id}`, name, moved(current, nth, nth - 1), `Up ${id}`, nth === 0)}
                {button(
                  `Down ${id}`,
                  name,
                  moved(current, nth, nth + 1),
                  `Down ${id}`,
                  nth === value.length - 1,
                )}
                {button(
                  `Remove ${id}`,
                  name,
                  current.filter((other) => other !== id),
                  `Remove ${current[nth + 1] ?? current[nth - 1] ?? 0}`,
                  value.length <= (shape.min ?? 0),
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {shape.fixed ? null : (
        <Button
          look="line"
          data-list={pointer(path)}
          disabled={editing.disabled || value.length >= (shape.max ?? 0)}
          onClick={add}
        >
          {`Add ${one}`}
        </Button>
      )}
    </div>
  );
}

type EntryProps = {
  draw: Draw;
  shape: Shape;
  name: string;
  value: unknown;
  path: Path;
  editing: Editing;
  isNew: boolean;
};

function Entry({ draw: Draw, shape, name, value, path, editing, isNew }: EntryProps) {
  if (shape.type !== 'object')
    return <Draw shape={shape} label={name} value={value} path={path} editing={editing} />;
  return (
    <Folded title={name} path={path} editing={editing} startsOpen={isNew}>
      {() => <Draw shape={shape} label="" value={value} path={path} editing={editing} />}
    </Folded>
  );
}
