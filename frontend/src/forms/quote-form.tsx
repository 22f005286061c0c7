// The quote form (specification sections 2, 4, 5, 8). Rules and texts: seeds/forms/quote.json.
import quote from '@seeds/forms/quote.json';
import { useEffect } from 'react';
import { Problem } from '../api/public-client';
import { preselectedService } from '../content/preselect';
import { Button } from '../ui/button';
import { toast } from '../ui/toast';
import { Banner } from './banner';
import { CheckField, controlId, Field } from './field';
import { FormHead } from './form-head';
import type { FormRules } from './rules';
import { useForm } from './use-form';

const rules: FormRules = quote;
const draft = ['serviceType', 'startDate', 'duration'];

/** A rejection by the server and a network failure have different texts. */
function onFailure(error: unknown) {
  console.error(error);
  const outcome = error instanceof Problem ? quote.outcomes.failed : quote.outcomes.unexpected;
  toast({ ...outcome, destructive: true });
  return undefined;
}

export function QuoteForm({ search }: { search: string }) {
  const sent = search === 'sent=1' ? 'banner' : undefined;
  const { form, errors, sending, banner, served, again, onPress } = useForm({
    rules,
    path: '/api/quotes',
    draft,
    sent,
    onFailure,
  });
  const selectedService = preselectedService(search);

  useEffect(() => {
    // Only links with `?service=` alone are prerendered; with more parameters (a campaign's) the
    // option is selected here.
    const select = document.getElementById(controlId('serviceType')) as HTMLSelectElement | null;
    if (selectedService && select) select.value = selectedService;
  }, [selectedService]);

  const fieldProps = { rules, errors };
  return (
    <>
      {banner ? <Banner outcome={banner} again={again} page="/quote" served={served} /> : null}
      <form {...form} className="form" action="/quote">
        <FormHead />
        <Field {...fieldProps} name="firstName" autoComplete="given-name" enterKeyHint="next" />
        <Field {...fieldProps} name="lastName" autoComplete="family-name" enterKeyHint="next" />
        <Field
          {...fieldProps}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          enterKeyHint="next"
        />
        <Field
          {...fieldProps}
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="next"
        />
        <Field {...fieldProps} name="company" autoComplete="organization" enterKeyHint="next" wide />
        <Field {...fieldProps} name="serviceType" selected={selectedService} />
        <Field {...fieldProps} name="duration" />
        <Field
          {...fieldProps}
          name="location"
          enterKeyHint="next"
          hint="Street address, city or ZIP code of the post"
        />
        <Field {...fieldProps} name="startDate" type="date" />
        <Field
          {...fieldProps}
          name="description"
          hint="Hours, number of guards, what is to be watched"
          wide
        />
        <CheckField rules={rules} name="emergencyContact" />
        <div className="form-row">
          <Button type="submit" wide disabled={sending} onPointerDown={onPress}>
            {sending ? 'Submitting...' : 'Submit Quote Request'}
          </Button>
        </div>
      </form>
    </>
  );
}
