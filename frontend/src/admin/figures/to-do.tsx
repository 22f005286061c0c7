// What needs doing, the most urgent first, each with a way to it, and when the last backup was
// made.
import type { System } from '../../api/system';
import { dateTime } from '../requests/format';
import { useSystem } from '../state/use-system';
import { useToDo } from './use-figures';

export function ToDoList() {
  const lines = useToDo()?.lines;
  const backup = backupText(useSystem());
  return (
    <section className="to-do" aria-labelledby="to-do-title">
      <h2 id="to-do-title">What needs doing</h2>
      {lines ? null : <p role="status">Loading</p>}
      {lines?.length === 0 ? <p className="to-do-none">Nothing waits for you.</p> : null}
      <ul>
        {lines?.map(({ text, path, urgent }) => (
          <li key={text} className={urgent ? 'urgent' : undefined}>
            {path ? <a href={path}>{text}</a> : text}
          </li>
        ))}
      </ul>
      {backup ? <p className="to-do-backup">{backup}</p> : null}
    </section>
  );
}

/** What has failed is one of the things to do. */
function backupText(system: System | undefined): string {
  const { backup, backup_proof: proof } = system ?? {};
  if (!backup?.ok) return '';
  const made = `Last backup: ${dateTime(backup.ran_at)}`;
  return proof?.ok ? `${made}; last restored to check it: ${dateTime(proof.ran_at)}.` : `${made}.`;
}
