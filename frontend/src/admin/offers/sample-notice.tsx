// These prices are not the company's.
import { useAuth } from '../session/provider';

export function SampleNotice() {
  const { isAdmin } = useAuth();
  return (
    <p className="offer-sample">
      These are the prices of a sample: you can draft and preview, but not send.{' '}
      {isAdmin ? (
        <a href="/admin/rates">Publish your own rates</a>
      ) : (
        'An admin publishes your own rates first.'
      )}
    </p>
  );
}

/** What is still a sample in the published rates, with the way to where it is written. */
export function SampleTexts({ refused }: { refused: Record<string, string> }) {
  const { isAdmin } = useAuth();
  const texts = Object.entries(refused).filter(([field]) => field.startsWith('rates.'));
  if (!texts.length) return null;
  return (
    <div className="offer-sample" role="alert">
      <p>Not sent: your rates still say what is marked as a sample.</p>
      <ul>
        {texts.map(([field, message]) => (
          <li key={field}>
            {message}{' '}
            {isAdmin ? (
              <a href={`/admin/rates#${controlOf(field)}`}>Open it in the rates</a>
            ) : (
              'An admin changes it in the rates.'
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The id of the control of the rates where a text is written, as in `rates.conditions.1`. */
const controlOf = (field: string) =>
  `site-texts-${field.slice('rates.'.length).replaceAll('.', '-')}${/\d$/.test(field) ? '-text' : ''}`;
