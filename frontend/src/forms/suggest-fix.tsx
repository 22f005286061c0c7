// Offers a fix below a refused field: one press changes the value, and adds to the message what
// does not fit into the field.
import { useEffect, useState } from 'react';
import { Icon } from '../ui/icon';
import { controlId } from './control-id';
import { type Fix, findDenied, fixText, suggestFix } from './fixes';
import type { FieldRule } from './rules';

export type FixProps = { rule: FieldRule };

type Control = HTMLInputElement | HTMLTextAreaElement;

export function SuggestFix({ rule }: FixProps) {
  const [fix, setFix] = useState<Fix & { found: string }>();
  const control = () => document.getElementById(controlId(rule.field)) as Control;
  useEffect(() => {
    const field = control();
    const text = field.value;
    const suggested = suggestFix(rule, text);
    setFix(suggested && { ...suggested, found: rule.free_text ? findDenied(text).join('  ') : '' });
    // An edit, or the press, makes the suggestion stale.
    const remove = () => setFix(undefined);
    field.addEventListener('input', remove);
    return () => field.removeEventListener('input', remove);
  }, [rule]);
  if (!fix) return null;
  const applyFix = () => {
    if (fix.moved) addToMessage(control(), `${rule.label}: ${fix.moved}`);
    setValue(control(), fix.value);
    control().focus();
  };
  return (
    <div className="field-fix">
      {fix.found ? (
        <p>
          {'We cannot take '}
          <code>{fix.found}</code>
          {`. Instead: “${fix.value}”`}
        </p>
      ) : null}
      <button type="button" className="button button-quiet" onClick={applyFix}>
        <Icon name="check" />
        {fixLabel(rule, fix)}
      </button>
    </div>
  );
}

/** Says what the press does. */
function fixLabel(rule: FieldRule, { value, moved }: Fix): string {
  if (rule.free_text) return 'Fix it for me';
  if (!moved) return `Use ${value}`;
  return `Use ${value} and add ${rule.field === 'company' ? 'your spelling' : 'the rest'} to the message`;
}

/** Appends a line to the form's message. */
function addToMessage(from: Control, line: string) {
  const message = from.form?.querySelector('textarea');
  if (!message) return;
  setValue(message, [message.value.trimEnd(), fixText(line)].filter(Boolean).join('\n'));
}

/** Sets a control's value as typing would. */
function setValue(control: Control, value: string) {
  control.value = value;
  control.dispatchEvent(new Event('input', { bubbles: true }));
}
