// Where the server says what is wrong with a form that was sent without JavaScript. Its words are the server's: hydration
// leaves them, and the next attempt hides them.
import { useServed } from '../still';

export function FormAlert() {
  return <div className="form-alert form-row" role="alert" hidden {...useServed()} />;
}
