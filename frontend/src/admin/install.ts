// Makes the dashboard installable: registers its service worker, which serves /admin and what is
// below it.

type Policy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy };

const worker = '/admin-sw.js';

/** Registers the service worker, where the browser has them (HTTPS, or this computer). */
export function registerServiceWorker() {
  if (!import.meta.env.PROD || !navigator.serviceWorker) return;
  // The site's Content Security Policy demands trusted types; this policy knows one script.
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('guardpost-admin', {
    createScriptURL: () => worker,
  });
  const url = policy ? policy.createScriptURL(worker) : worker;
  // Without it the dashboard works as before.
  navigator.serviceWorker.register(url, { scope: '/admin' }).catch(() => {});
}
