// How colleagues and customers see this person: the name in the history and in the sender of
// replies, and the signature at the end of replies.
import { ApiError } from '../../api/admin-client';
import { readProfile, saveProfile } from '../../api/inbox';
import type { Profile as StoredProfile } from '../../api/inbox-types';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { useRead } from '../session/use-read';
import { FieldError, TextField } from '../ui/field';
import { SubmitForm } from '../ui/submit-form';
import { useSubmit } from '../ui/use-submit';
import { Waiting } from '../ui/waiting';

export function Profile() {
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
      <div className="field">
        <label htmlFor="signature">Signature</label>
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
      </div>
    </SubmitForm>
  );
}
