// Lighthouse, mobile preset, on each kind of page: the median of five runs with a fresh profile
// each, as one table. `just lighthouse [runs]`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, chromiumFlags, withServer } from './test-server.mjs';

const pages = ['/', '/fire-watch', '/about', '/contact', '/quote', '/states/texas', '/privacy', '/licensing'];
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const figures = {
  'LCP s': ['largest-contentful-paint', 1000],
  CLS: ['cumulative-layout-shift', 1],
  'TBT ms': ['total-blocking-time', 1],
  KiB: ['total-byte-weight', 1024],
};
const runs = Number(process.argv[2] ?? 5);

/**
 * How often a run is repeated when Chromium's trace could not be recorded, which happens on a busy
 * machine.
 */
const tries = 3;

function measure(url) {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return run(url);
    } catch (error) {
      if (left === 0) throw new Error(`no run of ${url} could be recorded`, { cause: error.message });
    }
  }
}

function run(url) {
  const profile = mkdtempSync(join(tmpdir(), 'lighthouse-'));
  const flags = ['--headless', ...chromiumFlags, `--user-data-dir=${profile}`].join(' ');
  try {
    const text = execFileSync(
      'npx',
      ['--yes', 'lighthouse@13.5.0', url, '--quiet', '--output=json', `--chrome-flags=${flags}`],
      {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        env: { ...process.env, CHROME_PATH: chromium },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const report = JSON.parse(text);
    return {
      ...Object.fromEntries(categories.map((key) => [key, Math.round(report.categories[key].score * 100)])),
      ...Object.fromEntries(
        Object.entries(figures).map(([name, [key, unit]]) => [name, report.audits[key].numericValue / unit]),
      ),
      failed: Object.values(report.audits)
        .filter(({ score, scoreDisplayMode }) => score !== null && score < 1 && scoreDisplayMode === 'binary')
        .map(({ id }) => id),
    };
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

await withServer('release', (address) => {
  const table = {};
  for (const page of pages) {
    const measured = Array.from({ length: runs }, () => measure(address + page));
    const row = {};
    for (const key of [...categories, ...Object.keys(figures)]) {
      row[key] = Number(median(measured.map((one) => one[key])).toFixed(2));
    }
    row.failed = [...new Set(measured.flatMap((one) => one.failed))].join(' ');
    table[page] = row;
    console.error(page, JSON.stringify(row));
  }
  console.table(table);
});
