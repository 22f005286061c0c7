// The sign-in form. Its rules and texts are in seeds/forms/sign-in.json.
import rules from '@seeds/forms/sign-in.json';
import { useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { signInWithPassword } from '../../api/auth';
import { company } from '../../company';
import { type FormRules, validate } from '../../forms/rules';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { AuthCard } from '../ui/auth-card';
import { TextField } from '../ui/field';
import { errorMessage, useSubmit } from '../ui/use-submit';
import { CompanySignIn } from './company-sign-in';

const form: FormRules = rules;
const { failed, unexpected, sent } = rules.outcomes;

/** Shows the welcome toast, after the second factor if there is one. */
export function showWelcome() {
  toast(sent);
}

export function SignIn() {
  const { manager, notice } = useAuth();
  /** How long to wait, after too many wrong passwords, also of strangers. */
  const [wait, setWait] = useState('');
  const sending = useSubmit({
    check: (values) => validate(form, values).errors,
    send: async (typed) => {
      const { email = '', password = '' } = validate(form, typed).values;
      const session = await signInWithPassword(email, password);
      manager.setSession(session, 'SIGNED_IN');
      const second = session.user.factors?.some(({ status }) => status === 'verified');
      if (!second) showWelcome();
    },
    failed: (error) => {
      const isLimited = error instanceof ApiError && error.status === 429;
      setWait(isLimited ? errorMessage(error) : '');
      const answered = error instanceof ApiError && !error.transient;
      toast({
        ...(answered ? { title: failed.title, detail: errorMessage(error) } : unexpected),
        destructive: true,
      });
      document.getElementById('password')?.focus();
    },
  });
  const { messages } = sending;
  return (
    <AuthCard title="Sign in" notice={notice}>
      <form {...sending.form} className="auth-form">
        <TextField
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          // After the end of a session the next letters are still those of a form of the desk.
          focus={!notice}
          error={messages.email}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          error={messages.password}
        />
        <Button type="submit" wide disabled={sending.sending}>
          {sending.sending ? 'Signing in...' : 'Sign In'}
        </Button>
      </form>
      {wait ? (
        <p className="alert" role="status">
          {wait} Somebody may have tried to guess your password.{' '}
          <a href="/admin?view=forgotten">Sign in at once by a link that we email you</a>
        </p>
      ) : null}
      <p>
        <a href="/admin?view=forgotten">Forgot your password?</a>
      </p>
      {company.sso && <CompanySignIn />}
    </AuthCard>
  );
}
