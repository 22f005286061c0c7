// The head of a form: the error alert that the server fills in after a post without JavaScript
// (hydration keeps it, the next submission hides it), and the note on required fields.
import { useServerHtml } from '../static-island';

export function FormHead() {
  return (
    <>
      <div className="form-alert form-row" role="alert" hidden {...useServerHtml()} />
      <p className="form-note form-row">Every field is required unless it says optional.</p>
    </>
  );
}
