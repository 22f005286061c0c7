// From views to won requests: one bar a step, as long as its share of the longest.
import { scale } from './scale';

export type FunnelStep = { name: string; number: number };

/** The percentage of the step before, if it has more. */
function shareOf(step: FunnelStep, previous: FunnelStep | undefined): string {
  if (!previous || previous.number < step.number || previous.number === 0) return '';
  const share = (step.number / previous.number) * 100;
  return `${share >= 10 ? Math.round(share) : Math.round(share * 10) / 10}% of the step before`;
}

export function Funnel({ steps }: { steps: FunnelStep[] }) {
  // Views are many times the rest: the square root keeps the short bars apart.
  const length = scale(Math.sqrt(Math.max(...steps.map(({ number }) => number))), [0, 100]);
  return (
    <ol className="funnel">
      {steps.map((step, index) => (
        <li key={step.name}>
          <span className="funnel-name">{step.name}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect className="funnel-bar" width={length(Math.sqrt(step.number))} height={10} />
          </svg>
          <b>{step.number.toLocaleString('en-US')}</b>
          <span className="muted funnel-share">{shareOf(step, steps[index - 1])}</span>
        </li>
      ))}
    </ol>
  );
}
