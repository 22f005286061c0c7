// Corrects what a request says of its customer and of what they need, in the place of what it says.
import { useRef } from 'react';
import type { RequestItem } from '../../../api/inbox';
import { Field } from '../../../forms/field';
import { Button } from '../../../ui/button';
import { useDesk } from '../../state/use-desk';
import { losesFocus } from '../../state/use-row-focus';
import { FieldError } from '../../ui/field';
import { forget } from '../../ui/kept';
import { useDeskForm } from '../desk-form';
import { editOf, editRules, messagesOf, valuesOf } from './edit-rules';

const inputs: Record<
  string,
  { type?: 'email' | 'tel' | 'date'; inputMode?: 'email' | 'tel'; hint?: string }
> = {
  phone: { type: 'tel', inputMode: 'tel' },
  email: { type: 'email', inputMode: 'email' },
  startDate: { type: 'date' },
  location: { hint: 'Street address, city or ZIP code of the site' },
};

export function EditForm({ request }: { request: RequestItem }) {
  const { changes, closeForm, focusHeading, open } = useDesk();
  const rules = editRules[request.kind];
  const seen = useRef(valuesOf(request));
  // Fields whose newer value the dispatcher was told of, and replaces.
  const told = useRef(new Set<string>());
  const { form, messages, alert, sending } = useDeskForm({
    keep: `edit ${request.id}`,
    rules,
    initial: seen.current,
    first: request.email ? 'firstName' : 'email',
    // A value that was stored before is not checked again.
    isChecked: (field, value) => value !== seen.current[field],
    send: async (values) => {
      const edited = editOf(seen.current, values, told.current);
      if (Object.keys(edited.to).length > 0) await changes.edit(request, edited);
      close();
    },
    errorsOf: (fields) => {
      const found = messagesOf(rules, fields);
      for (const field of Object.keys(found)) told.current.add(field);
      return found;
    },
  });
  function cancel() {
    forget(`edit ${request.id}`);
    close();
  }
  function close() {
    if (losesFocus(form.ref.current)) focusHeading();
    closeForm('edit');
    open.reload();
  }
  return (
    <form {...form} className="panel-form edit-form" autoComplete="off" aria-label="Edit details">
      {rules.fields.map(({ field }) => (
        <Field key={field} rules={rules} errors={messages} name={field} {...inputs[field]} />
      ))}
      <FieldError role="alert" text={alert} />
      <div className="edit-actions">
        <Button type="submit" look="ink" disabled={sending} title="Ctrl+Enter">
          {sending ? 'Saving' : 'Save'}
        </Button>
        <Button look="quiet" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
