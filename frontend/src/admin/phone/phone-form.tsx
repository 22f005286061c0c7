// A quote request that the dispatcher types while the customer talks, in the place of the open
// request.
import { useEffect, useRef } from 'react';
import { CheckField, Field } from '../../forms/field';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useDesk } from '../state/use-desk';
import { FieldError } from '../ui/field';
import { KnownCustomer, useKnownCustomer } from './known-customer';
import { PromiseField } from './promise-field';
import { phoneRules, usePhoneForm } from './use-phone-form';

export function PhoneForm() {
  const { closePhone, phoneStored } = useDesk();
  const { form, messages: errors, alert, sending, typed, take } = usePhoneForm(phoneStored);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.querySelector<HTMLElement>('[name="phone"]')?.focus(), []);
  const fields = { rules: phoneRules, errors };
  const known = { caller: useKnownCustomer(typed), take };
  return (
    <aside ref={panel} className="request-panel" aria-labelledby="phone-title">
      <div className="panel-top">
        <Button look="quiet" className="panel-back" onClick={closePhone}>
          <Icon name="close" />
          Close
        </Button>
      </div>
      <h2 id="phone-title">Request by phone</h2>
      <p className="muted">
        A number, a name and what is needed are enough. What you type is kept until you store it.
      </p>
      <form {...form} className="panel-form phone-form" autoComplete="off" aria-labelledby="phone-title">
        <Field {...fields} name="phone" type="tel" inputMode="tel" />
        <KnownCustomer {...known} field="phone" />
        <Field {...fields} name="firstName" />
        <Field {...fields} name="lastName" />
        <Field {...fields} name="serviceType" />
        <CheckField rules={phoneRules} name="emergencyContact" />
        <PromiseField />
        <Field {...fields} name="location" hint="Street address, city or ZIP code of the site" />
        <Field {...fields} name="description" hint="Hours, number of guards, what to protect" />
        <Field {...fields} name="startDate" type="date" />
        <Field {...fields} name="duration" />
        <Field {...fields} name="company" />
        <Field {...fields} name="email" type="email" inputMode="email" />
        <KnownCustomer {...known} field="email" />
        <div className="field">
          <label className="field-check">
            <input type="checkbox" name="acknowledge" value="on" />
            Send the customer a confirmation by email
          </label>
        </div>
        <div className="panel-foot phone-foot">
          <FieldError role="alert" text={alert} />
          <Button type="submit" look="ink" disabled={sending} title="Ctrl+Enter">
            {sending ? 'Storing' : 'Store request'}
          </Button>
        </div>
      </form>
    </aside>
  );
}
