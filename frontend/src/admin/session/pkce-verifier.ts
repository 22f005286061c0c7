// The PKCE code verifier (RFC 7636) of a provider sign-in. Stored in this tab while the browser is
// at the provider, and removed when that flow ends. Without session storage the exchange fails.

const name = 'guardpost.sso-verifier';

export function saveVerifier(verifier: string) {
  try {
    sessionStorage.setItem(name, verifier);
  } catch {
    // The code exchange will fail, and the user is asked to try again.
  }
}

/** Returns the verifier (empty if there is none) and removes it: it is valid for one exchange. */
export function takeVerifier(): string {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch {
    return '';
  } finally {
    clearVerifier();
  }
}

/** Removes the verifier, also from local storage, where earlier versions stored it. */
export function clearVerifier() {
  try {
    sessionStorage.removeItem(name);
    localStorage.removeItem(name);
  } catch {
    // Without storage there is nothing to remove.
  }
}
