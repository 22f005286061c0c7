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
