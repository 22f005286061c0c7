// The file field of the quote form. It is a static island: its markup needs no script, and without
// JavaScript the files are posted with the form (src/http/forms/attachments.rs). There is no
// `capture` attribute: with it phones open the camera only, without it they offer camera and files.
// As HEIC is not accepted, phones convert their photos to JPEG.
import { controlId } from '../control-id';

const types = 'image/jpeg,image/png,image/webp,application/pdf';

/**
 * Makes the form post its files as files. In prerendered pages the form says so itself
 * (scripts/prerender.mjs), and this island has no code.
 */
function postAsMultipart(input: HTMLInputElement | null) {
  if (input?.form) input.form.enctype = 'multipart/form-data';
}

export default function AttachmentsField() {
  return (
    <div className="field form-row">
      <label htmlFor={controlId('attachments')}>
        Files<span className="optional"> (optional)</span>
      </label>
      <input
        type="file"
        ref={postAsMultipart}
        multiple
        className="input"
        id={controlId('attachments')}
        name="attachments"
        accept={types}
        aria-describedby="attachments-hint"
      />
      <p id="attachments-hint" className="field-hint">
        Floor plan, photos, fire marshal’s notice: up to 5 files, JPEG, PNG, WebP or PDF, 10&nbsp;MB each
      </p>
      <div id="chosen-files" />
    </div>
  );
}
