// The secret that a provider's code is exchanged with (PKCE, RFC 7636): kept in this tab while the browser is at the
// provider, and removed by whatever ends that flow. Where storage is switched off there is nowhere to keep it.

const name = 'guardpost.sso-verifier';

export function saveVerifier(verifier: string) {
  try {
    sessionStorage.setItem(name, verifier);
  } catch {
    // The provider's code will be refused, and the person is told to try again.
  }
}

/** Gives the verifier, empty if there is none, and removes it: it is good for one exchange. */
export function takeVerifier(): string {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    return '';
  } finally {
    clearVerifier();
  }
}

/** Removes it, also from where earlier versions kept it. */
export function clearVerifier() {
  try {
    sessionStorage.removeItem(name);
    localStorage.removeItem(name);
  } catch {
    // What could not be stored needs no removal.
  }
}
