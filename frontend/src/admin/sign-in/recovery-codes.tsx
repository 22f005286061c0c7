// Recovery codes, shown once; each works once if the authenticator is lost. No other view is shown
// until the user confirms having saved them.
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { useAuth } from '../session/provider';
import { AuthCard } from '../ui/auth-card';

const copied = { title: 'Copied' };
const notCopied = {
  title: 'Could not copy',
  detail: 'Select the codes and copy them by hand.',
  destructive: true,
};

export function RecoveryCodes({ codes }: { codes: string[] }) {
  const { showRecoveryCodes } = useAuth();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      toast(copied);
    } catch {
      toast(notCopied);
    }
  };
  return (
    <AuthCard title="Keep these recovery codes">
      <p>
        Each works once in place of the code from your authenticator. They are shown only now: print them, or
        keep them where you keep passwords.
      </p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button onClick={() => showRecoveryCodes(undefined)}>I have kept them</Button>
        <Button look="line" onClick={copy}>
          Copy
        </Button>
      </div>
    </AuthCard>
  );
}
