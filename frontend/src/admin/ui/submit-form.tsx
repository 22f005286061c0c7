// A form of the account and of signing in: its error above the fields, its button below them.
import type { ReactNode } from 'react';
import { Button } from '../../ui/button';
import { FormAlert } from './auth-card';
import type { useSubmit } from './use-submit';

type Props = {
  of: Pick<ReturnType<typeof useSubmit>, 'form' | 'alert' | 'sending'>;
  /** The words of the button. */
  submit: string;
  look?: 'line' | 'ink';
  wide?: boolean;
  children: ReactNode;
};

export function SubmitForm({ of: { form, alert, sending }, submit, children, ...look }: Props) {
  return (
    <form {...form} className="auth-form">
      <FormAlert text={alert} />
      {children}
      <Button type="submit" disabled={sending} {...look}>
        {submit}
      </Button>
    </form>
  );
}
