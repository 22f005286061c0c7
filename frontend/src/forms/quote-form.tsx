// The quote form (specification sections 2, 4, 5, 8). Rules and texts: seeds/forms/quote.json.

import quote from '@seeds/forms/quote.json';
import mapped from '@seeds/site/services.json?in=pages&pick=quote,preselect&differ=quote,preselect';
import { useEffect, useState } from 'react';
import { Problem } from '../api/public-client';
import { staticIsland } from '../static-island';
import { toast } from '../ui/toast';
import { controlId } from './control-id';
import { CheckField, Field } from './field';
import { RequestForm } from './request-form';
import { type FormRules, localToday } from './rules';
import { useForm } from './use-form';

export const FileField = staticIsland(() => import('./attachments/field'));

const rules: FormRules = quote;
const draft = ['serviceType', 'startDate', 'duration'];

/** A rejection by the server and a network failure have different texts. */
function onFailure(error: unknown) {
  console.error(error);
  const outcome = error instanceof Problem ? quote.outcomes.failed : quote.outcomes.unexpected;
  toast({ ...outcome, destructive: true });
  return undefined;
}

/** The code for files, loaded with the first one. */
type Attachments = typeof import('./attachments');

const fireWatch = 'fire-watch';

/** Selects an option, unless the visitor chose another. */
function preselect(name: string, value: string) {
  const select = document.getElementById(controlId(name)) as HTMLSelectElement | null;
  if (select && !select.value) select.value = value;
}

/**
 * Allows no day before today. When the calendar is about to open: the HTML is the same on every
 * day, and a page may stay open past midnight.
 */
function limitToFuture({ currentTarget }: { currentTarget: HTMLInputElement }) {
  currentTarget.min = localToday();
}

export function QuoteForm({ search }: { search: string }) {
  const [attachments, setAttachments] = useState<Attachments>();
  const selectedService = preselectedService(search);

  // Before the draft is restored: a link that names a service wins over it.
  // Only links with `?service=` alone are prerendered; with more parameters (a campaign's) the
  // option is selected here, unless the visitor was faster.
  useEffect(() => preselect('serviceType', selectedService), [selectedService]);

  const state = useForm({
    rules,
    path: '/api/quotes',
    more: attachments && (() => ({ attachments: true, files: attachments.countChosen() })),
    draft,
    search,
    onFailure,
  });
  /**
   * Takes files that were chosen, dropped or pasted; a pasted text may come with a picture of it.
   */
  function takeFiles(event: Event) {
    const { dataTransfer, clipboardData, target } = event as DragEvent & ClipboardEvent;
    const { files } = dataTransfer ?? clipboardData ?? (target as HTMLInputElement);
    if (!files?.[0] || clipboardData?.getData('text')) return;
    // The list is emptied after the event.
    const chosen = [...files];
    event.preventDefault();
    state.again();
    import('./attachments').then((module) => {
      setAttachments(module);
      module.addFiles(chosen, target);
    }, onFailure);
  }

  Object.assign(state.form, {
    onChange: (event: Event) => {
      // A fire watch lasts until the system is repaired: a week unless the visitor chose otherwise.
      if ((event.target as HTMLSelectElement).value === fireWatch) preselect('duration', '1-week');
      takeFiles(event);
    },
    onPaste: takeFiles,
    onDragOver: (event: Event) => event.preventDefault(),
    onDrop: takeFiles,
  });
  const fieldProps = { rules, errors: state.errors };
  return (
    <RequestForm
      rules={rules}
      state={state}
      action="/quote"
      submit="Submit Quote Request"
      submitting="Submitting..."
      company="wide"
      files={attachments ? <attachments.SentFiles sent={state.sent} /> : null}
    >
      <Field {...fieldProps} name="serviceType" selected={selectedService} />
      <Field
        {...fieldProps}
        name="duration"
        selected={selectedService === fireWatch ? '1-week' : ''}
        hint="Fire watch: 1 week, or until repaired"
      />
      <Field {...fieldProps} name="location" hint="Street address, city or ZIP code of the site" />
      <Field {...fieldProps} name="startDate" type="date" onFocus={limitToFuture} />
      <Field
        {...fieldProps}
        name="description"
        hint="Hours, number of guards, what you need protected"
        wide
      />
      <CheckField rules={rules} name="emergencyContact" />
      {/* The last field: without JavaScript, the request is stored when its first file begins. */}
      <FileField />
    </RequestForm>
  );
}

// The option of the quote form that `?service=value` preselects: of that value, or as
// seeds/site/services.json maps it.

/** The option to preselect; none has it if the value is unknown. */
function preselectedService(search: string): string {
  const requested = new URLSearchParams(search).get('service') ?? '';
  return mapped.find(({ quote }) => quote === requested)?.preselect ?? requested;
}
