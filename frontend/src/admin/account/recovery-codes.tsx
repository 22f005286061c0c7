// Recovery codes, shown once: each opens the account once when the authenticator is lost.
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';

export function RecoveryCodes({ codes, done }: { codes: string[]; done: () => void }) {
  const copy = () =>
    navigator.clipboard
      .writeText(codes.join('\n'))
      .then(() => toast({ title: 'Copied' }))
      .catch(() =>
        toast({
          title: 'Could not copy',
          detail: 'Select the codes and copy them by hand.',
          destructive: true,
        }),
      );
  return (
    <div className="codes">
      <h3>Recovery codes</h3>
      <p>
        Each works once, when your authenticator is lost. They are shown only now: print them or keep them
        where you keep passwords.
      </p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button look="ink" onClick={done}>
          I have kept them
        </Button>
        <Button look="line" onClick={copy}>
          Copy
        </Button>
      </div>
    </div>
  );
}
