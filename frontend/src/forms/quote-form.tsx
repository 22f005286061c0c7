// The quote request form (specification sections 2, 4, 5, 8). Its rules and texts are in seeds/forms/quote.json.
import quote from '@seeds/forms/quote.json';
import { useEffect } from 'react';
import { Problem } from '../api/public-client';
import { preselected } from '../content/preselect';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';
import { Banner } from './banner';
import { boxId, CheckField, Field } from './field';
import { FormHead } from './form-head';
import type { FormRules } from './rules';
import { useForm } from './use-form';

const rules: FormRules = quote;
const draft = ['serviceType', 'startDate', 'duration'];

/** A refusal by the server and a failure on the way to it have different texts. */
function failed(error: unknown) {
  console.error(error);
  const outcome = error instanceof Problem ? quote.outcomes.failed : quote.outcomes.unexpected;
  toast({ ...outcome, destructive: true });
  return undefined;
}

export function QuoteForm({ search }: { search: string }) {
  const sent = search === 'sent=1' ? 'banner' : undefined;
  const { form, errors, sending, banner, served, again, press } = useForm({
    rules,
    path: '/api/quotes',
    draft,
    sent,
    failed,
  });
  const chosen = preselected(search);

  useEffect(() => {
    // The server prerenders the plain links; with more in the query (a campaign's marks) the choice is made here.
    const select = document.getElementById(boxId('serviceType')) as HTMLSelectElement | null;
    if (chosen && select) select.value = chosen;
  }, [chosen]);

  const at = { rules, errors };
  return (
    <>
      {banner ? <Banner outcome={banner} again={again} page="/quote" served={served} /> : null}
      <form {...form} className="form" action="/quote">
        <FormHead />
        <Field {...at} name="firstName" autoComplete="given-name" enterKeyHint="next" />
        <Field {...at} name="lastName" autoComplete="family-name" enterKeyHint="next" />
        <Field {...at} name="email" type="email" inputMode="email" autoComplete="email" enterKeyHint="next" />
        <Field {...at} name="phone" type="tel" inputMode="tel" autoComplete="tel" enterKeyHint="next" />
        <Field {...at} name="company" autoComplete="organization" enterKeyHint="next" row />
        <Field {...at} name="serviceType" chosen={chosen} />
        <Field {...at} name="duration" />
        <Field
          {...at}
          name="location"
          enterKeyHint="next"
          hint="Street address, city or ZIP code of the post"
        />
        <Field {...at} name="startDate" type="date" />
        <Field {...at} name="description" hint="Hours, number of guards, what is to be watched" row />
        <CheckField rules={rules} name="emergencyContact" />
        <div className="form-row">
          <Button type="submit" wide disabled={sending} onPointerDown={press}>
            {sending ? 'Submitting...' : 'Submit Quote Request'}
          </Button>
        </div>
      </form>
    </>
  );
}
