// The files that a visitor adds to a quote request. Loaded with the first file that is chosen; the
// files are sent when the request is stored, which therefore never waits for them.
import { useEffect, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { company } from '../../company';
import { sizeText } from '../../content/file-size';
import { Button } from '../../ui/button';
import { announce } from '../../ui/toast';
import type { Sent } from '../sent';
import styles from './attachments.css?url';
import { FileList, type Item } from './file-list';

// Not imported as styles: Vite would make the page of the form name the file.
document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: styles }));

const list = new FileList(announce);

addEventListener('online', () => list.retryLost());
addEventListener('beforeunload', (event) => {
  if (list.busy) event.preventDefault();
});

/** Where chosen files are shown: within a static island, which renders nothing itself. */
let chosenContainer: HTMLElement | undefined;

/** Adds files, and empties the field that they came from. */
export function addFiles(files: File[], field: EventTarget | null) {
  const container = document.getElementById('chosen-files');
  if (container && container !== chosenContainer) {
    chosenContainer = container;
    createRoot(container).render(<ChosenFiles />);
  }
  list.add(files);
  if (field instanceof HTMLInputElement && field.type === 'file') field.value = '';
}

/** How many files will be sent with the next request. */
export const countChosen = () => list.chosen.filter(({ state }) => state === 'chosen').length;

/** Renders anew with each change of the list. */
function useItems() {
  useSyncExternalStore(list.subscribe, () => list.items);
}

/** The files that will be sent with the request, below the field. */
function ChosenFiles() {
  useItems();
  if (list.chosen.length === 0) return null;
  return (
    <ul className="files" aria-label="Files to send">
      {list.chosen.map((item) => (
        <Row key={item.id} item={item} />
      ))}
    </ul>
  );
}

/** What becomes of the files of the request that was `sent`. */
export function SentFiles({ sent }: { sent: Sent | undefined }) {
  useItems();
  useEffect(() => {
    if (sent?.values && list.chosen.length > 0) list.start(sent.uploads);
  }, [sent]);
  if (list.uploads.length === 0) return null;
  const arrived = list.uploads.filter(({ state }) => state === 'arrived').length;
  const failed = list.uploads.some(({ state }) => state === 'failed');
  return (
    <section className="sent-files" aria-label="Files of your request">
      <h3>{`${arrived} of ${list.uploads.length} ${list.uploads.length === 1 ? 'file' : 'files'} arrived`}</h3>
      {list.busy ? <p>Your request is in. Keep this page open while your files are sent.</p> : null}
      <ul className="files">
        {list.uploads.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </ul>
      {failed ? (
        <p>
          {'Your request is in, with or without these files. Our address for them: '}
          <a href={`mailto:${company.email}?subject=${sent?.reference ?? ''}`}>{company.email}</a>
        </p>
      ) : null}
    </section>
  );
}

function Row({ item }: { item: Item }) {
  const { id, file, state, reason, sent, retry } = item;
  const percent = Math.floor((sent / file.size) * 100);
  return (
    <li className={`file-${state}`}>
      <p>
        <span className="file-name">{file.name}</span>{' '}
        <span className="file-size">{sizeText(file.size)}</span>
      </p>
      {state === 'sending' || state === 'lost' ? (
        <progress value={percent} max={100} aria-label={`Sending ${file.name}`} />
      ) : null}
      <p className="file-state">{reason || stateText(item, percent)}</p>
      <div className="file-actions">
        {retry && state === 'failed' ? (
          <Button look="line" aria-label={`Try again: ${file.name}`} onClick={() => list.retry(id)}>
            Try again
          </Button>
        ) : null}
        {state === 'arrived' ? null : (
          <Button
            look="quiet"
            aria-label={`${isOnItsWay(item) ? 'Cancel' : 'Remove'}: ${file.name}`}
            onClick={(event) => remove(id, event.currentTarget)}
          >
            {isOnItsWay(item) ? 'Cancel' : 'Remove'}
          </Button>
        )}
      </div>
    </li>
  );
}

const isOnItsWay = ({ state }: Item) => ['waiting', 'sending', 'lost'].includes(state);

function stateText({ state }: Item, percent: number): string {
  const words: Partial<Record<Item['state'], string>> = {
    waiting: 'Waiting',
    lost: 'The connection is lost. We go on as soon as it is back.',
    sending: percent < 100 ? `${percent}% sent` : 'Sent, being checked',
    arrived: 'Arrived',
  };
  return words[state] ?? '';
}

/** Removes a file; the focus stays in the list, or goes back to the field. */
function remove(id: number, button: HTMLElement) {
  const row = button.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  const target =
    next?.querySelector<HTMLElement>('button:last-of-type') ?? document.querySelector('input[type=file]');
  list.remove(id);
  (target as HTMLElement | null)?.focus();
}
