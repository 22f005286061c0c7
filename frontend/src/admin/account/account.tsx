// The account page: name and signature, password, email, second factor, sessions.

import { useEffect, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { createRecoveryCodes, currentUser, type Factor, removeFactor, updateUser } from '../../api/auth';
import { readProfile, type Profile as StoredProfile, saveProfile } from '../../api/inbox';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { dateTime } from '../requests/format';
import { useAuth, useSession } from '../session/provider';
import { useRead } from '../session/use-read';
import { FormAlert } from '../ui/auth-card';
import { FieldError, Labeled, TextField } from '../ui/field';
import { Heading } from '../ui/heading';
import { useAttempt } from '../ui/use-attempt';
import { emailField, required, SubmitForm, useSubmit } from '../ui/use-submit';
import { Waiting } from '../ui/waiting';
import { EnrollFactor } from './enroll-factor';
import { PasswordChange } from './password-change';
import { PushDevices } from './push-devices';
import { Sessions } from './sessions';

export function Account() {
  const { manager } = useAuth();
  const { user } = useSession();
  // The stored user may be older than a change on another device.
  useEffect(() => {
    manager.reloadUser(currentUser).catch(() => {});
  }, [manager]);
  return (
    <div className="account account-own">
      <Heading>Account</Heading>
      <p className="muted">{user.email}</p>
      <Profile />
      <PasswordChange />
      <EmailChange />
      <Factors />
      <PushDevices />
      <Sessions />
    </div>
  );
}

/** Changes the email address; both the old and the new one must confirm by email. */
function EmailChange() {
  const { manager } = useAuth();
  const { user } = useSession();
  const sending = useSubmit({
    keep: 'new email',
    check: required('email'),
    send: async ({ email = '' }) => {
      manager.updateUser(await manager.withToken(updateUser, { email: email.trim() }));
      toast({
        title: 'Look in your mail',
        detail: 'Open the link in the mail to your old address and in the one to your new address.',
      });
      sending.form.ref.current?.reset();
    },
    fieldOf: emailField,
  });
  return (
    <section aria-labelledby="email-title">
      <h2 id="email-title">Email</h2>
      {user.new_email ? (
        <p className="alert" role="status">
          {`${user.new_email} takes the place of ${user.email} once the links in both mails have been opened.`}
        </p>
      ) : null}
      <SubmitForm of={sending} submit="Change email" look="line">
        <TextField
          name="email"
          label="New email"
          type="email"
          autoComplete="email"
          error={sending.messages.email}
        />
      </SubmitForm>
    </section>
  );
}

/**
 * How colleagues and customers see this person: the name in the history and in the sender of
 * replies, and the signature at the end of replies.
 */
function Profile() {
  const { found: profile, problem, retry } = useRead(readProfile);
  return (
    <section aria-labelledby="profile-title">
      <h2 id="profile-title">Name and signature</h2>
      {profile ? <ProfileForm profile={profile} /> : <Waiting problem={problem} retry={retry} />}
    </section>
  );
}

function ProfileForm({ profile }: { profile: StoredProfile }) {
  const { manager } = useAuth();
  const saving = useSubmit({
    keep: 'profile',
    check: () => ({}),
    send: async ({ name = '', signature = '' }) => {
      await manager.withToken(saveProfile, { name, signature });
      toast({ title: 'Saved' });
    },
    fieldOf: (error) => (error instanceof ApiError ? Object.keys(error.details.fields ?? {})[0] : undefined),
  });
  const error = saving.messages.signature;
  return (
    <SubmitForm of={saving} submit="Save" look="ink">
      <TextField
        name="name"
        label="Your name"
        hint="Colleagues read it in the history, customers in the sender of your replies."
        autoComplete="name"
        maxLength={60}
        defaultValue={profile.name}
        error={saving.messages.name}
        optional
      />
      <Labeled id="signature" label="Signature">
        <textarea
          id="signature"
          name="signature"
          className="input"
          rows={4}
          maxLength={500}
          defaultValue={profile.signature}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={error ? 'signature-hint signature-error' : 'signature-hint'}
        />
        <p id="signature-hint" className="field-hint">
          Your replies end with it. At most eight lines.
        </p>
        <FieldError id="signature-error" text={error} />
      </Labeled>
    </SubmitForm>
  );
}

/** The second factor: its state, setup, new recovery codes, removal. */
function Factors() {
  const { manager, showRecoveryCodes } = useAuth();
  const factors = (useSession().user.factors ?? []).filter(({ status }) => status === 'verified');
  const [enrolling, setEnrolling] = useState(false);
  const { alert, attempt } = useAttempt();

  const remove = (factor: Factor) =>
    attempt(async () => {
      await manager.withToken(removeFactor, factor.id);
      await manager.renew();
      await manager.reloadUser(currentUser);
      toast({ title: 'Second factor removed' });
    });

  const newCodes = () =>
    attempt(async () => {
      showRecoveryCodes((await manager.withToken(createRecoveryCodes)).codes);
    });

  return (
    <section aria-labelledby="factor-title">
      <h2 id="factor-title">Second factor</h2>
      <FormAlert text={alert} />
      {factors.length === 0 ? (
        <p>
          Only your password guards this account. With a second factor, a code from your phone is asked for as
          well.
        </p>
      ) : (
        <ul className="things">
          {factors.map((factor) => (
            <li key={factor.id}>
              <span>
                <strong>{factor.friendly_name || 'Authenticator app'}</strong>
                <span className="muted">{` since ${dateTime(factor.created_at)}`}</span>
              </span>
              <Button
                look="line"
                aria-label={`Remove ${factor.friendly_name || 'authenticator app'}`}
                onClick={() => remove(factor)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {enrolling ? (
        <EnrollFactor done={() => setEnrolling(false)} cancel={() => setEnrolling(false)} />
      ) : (
        <div className="actions">
          <Button look="line" onClick={() => setEnrolling(true)}>
            {factors.length === 0 ? 'Set up a second factor' : 'Add another'}
          </Button>
          {factors.length > 0 ? (
            <Button look="line" onClick={newCodes}>
              New recovery codes
            </Button>
          ) : null}
        </div>
      )}
    </section>
  );
}
