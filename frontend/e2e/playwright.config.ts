// Browser tests against the real binary in the system's Chromium. `just test-browser` builds what
// they need.
import { defineConfig, devices } from '@playwright/test';
import { chromium, chromiumFlags } from '../scripts/test-server.mjs';

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  fullyParallel: true,
  // Three on two cores: a test waits for its browser a third of the time.
  workers: '150%',
  forbidOnly: true,
  // It says why tests failed at the end, where a long log is read first.
  reporter: [['dot']],
  // Only what hangs takes as long: a test takes seconds, on a busy machine five times as many.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  use: {
    ...devices['Desktop Chrome'],
    trace: 'off',
    // Requests of a service worker would pass by `page.route`;
    // e2e/dashboard/desk-app.spec.ts allows it.
    serviceWorkers: 'block',
    launchOptions: { executablePath: chromium, args: chromiumFlags },
  },
});
