// Why this browser takes no pushes, and what to do.
import { expect, test } from 'vitest';
import { pushProblem } from './push-devices';

const forbidden = 'allow them in its settings. A private window never allows them: use an ordinary one.';
const noService = 'Check the network, or use another browser.';

test.each([
  ['NotAllowedError', 'Registration failed - permission denied', forbidden],
  ['AbortError', 'Registration failed - permission denied', forbidden],
  ['SecurityError', 'The operation is insecure.', forbidden],
  ['AbortError', 'Registration failed - push service not available', noService],
  ['AbortError', 'Registration failed - push service error', noService],
  ['NetworkError', 'A network error occurred.', noService],
])('%s "%s" says what to do', (name, message, words) => {
  expect(pushProblem(new DOMException(message, name))).toContain(words);
});
