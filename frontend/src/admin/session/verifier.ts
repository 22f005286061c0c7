// The secret that a provider's code is exchanged with (PKCE, RFC 7636): kept in this tab while the browser is at the
// provider, and removed by whatever ends that flow.
import { forget, keep, kept } from '../../kept';

const name = 'sso-verifier';

export function keepVerifier(verifier: string) {
  keep('sessionStorage', name, verifier);
}

/** Gives the verifier, empty if there is none, and removes it: it is good for one exchange. */
export function takeVerifier(): string {
  const verifier = kept('sessionStorage', name) ?? '';
  forgetVerifier();
  return verifier;
}

/** Removes it, also from where earlier versions kept it. */
export function forgetVerifier() {
  forget('sessionStorage', name);
  forget('localStorage', name);
}
