// A quote request that the dispatcher types while the customer talks, in the place of the open
// request.
import { useEffect, useRef } from 'react';
import type { RequestItem } from '../../api/inbox-types';
import { CheckField, Field } from '../../forms/field';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { phoneRules } from './phone-rules';
import { usePhoneForm } from './use-phone-form';

type Props = { close(): void; stored(request: RequestItem): void };

export function PhoneForm({ close, stored }: Props) {
  const { form, errors, alert, sending } = usePhoneForm(stored);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.querySelector<HTMLElement>('[name="firstName"]')?.focus(), []);
  const fields = { rules: phoneRules, errors };
  return (
    <aside ref={panel} className="request-panel" aria-labelledby="phone-title">
      <div className="panel-top">
        <Button look="quiet" className="panel-back" onClick={close}>
          <Icon name="close" />
          Close
        </Button>
      </div>
      <h2 id="phone-title">Request by phone</h2>
      <p className="muted">What you type is kept until you store it.</p>
      <form {...form} className="panel-form phone-form" autoComplete="off" aria-labelledby="phone-title">
        <CheckField rules={phoneRules} name="emergencyContact" />
        <Field {...fields} name="firstName" />
        <Field {...fields} name="lastName" />
        <Field {...fields} name="phone" type="tel" inputMode="tel" />
        <Field {...fields} name="serviceType" />
        <Field {...fields} name="location" hint="Street address, city or ZIP code of the site" />
        <Field {...fields} name="startDate" type="date" />
        <Field {...fields} name="duration" />
        <Field {...fields} name="description" hint="Hours, number of guards, what to protect" />
        <Field {...fields} name="company" />
        <Field {...fields} name="email" type="email" inputMode="email" />
        <div className="field">
          <label className="field-check">
            <input type="checkbox" name="acknowledge" value="on" />
            Send the customer a confirmation by email
          </label>
        </div>
        <div className="panel-foot phone-foot">
          <p className="field-error" role="alert" hidden={!alert}>
            {alert}
          </p>
          <Button type="submit" look="ink" disabled={sending} title="Ctrl+Enter">
            {sending ? 'Storing' : 'Store request'}
          </Button>
        </div>
      </form>
    </aside>
  );
}
