// The head of a form: where the server says what is wrong when it was sent without JavaScript, and what is required, in
// words. The alert's words are the server's: hydration leaves them, and the next attempt hides them.
import { useServerHtml } from '../static-island';

export function FormHead() {
  return (
    <>
      <div className="form-alert form-row" role="alert" hidden {...useServerHtml()} />
      <p className="form-note form-row">Every field is required unless it says optional.</p>
    </>
  );
}
