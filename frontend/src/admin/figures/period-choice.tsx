// The choice of the period: named ones, or any two days.

import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { downloadReport, type Figures } from '../../api/figures';
import { Button } from '../../ui/button';
import { Popover } from '../ui/popover';
import { useCurrentInView } from '../ui/use-current-in-view';
import { daysText } from './numbers';
import { SaveButton } from './numbers-table';

const names = {
  last_week: 'Last week',
  week: 'This week',
  month: 'This month',
  last_month: 'Last month',
  quarter: 'This quarter',
  year: 'This year',
} as const;

type Props = { query: string; figures: Figures | undefined };

export function PeriodChoice({ query, figures }: Props) {
  const [days, setDays] = useState({ from: '', to: '' });
  useEffect(() => {
    if (figures) setDays({ from: figures.from, to: figures.to });
  }, [figures?.from, figures?.to]);
  const isWrong = days.from > days.to;
  return (
    <section className="period" aria-label="Period">
      <nav className="views" aria-label="Periods" ref={useCurrentInView()}>
        {Object.entries(names).map(([name, label]) => (
          <a
            key={name}
            href={`/admin/figures?period=${name}`}
            aria-current={query === `period=${name}` ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <form
        className="period-days"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) navigate(`/admin/figures?from=${days.from}&to=${days.to}`);
        }}
      >
        {(['from', 'to'] as const).map((end) => (
          <label key={end}>
            {end === 'from' ? 'From' : 'To'}{' '}
            <input
              className="input"
              type="date"
              required
              value={days[end]}
              onInput={({ currentTarget }) => setDays({ ...days, [end]: currentTarget.value })}
            />
          </label>
        ))}
        <Button type="submit" look="line">
          Show
        </Button>
        {isWrong ? <span className="field-error">The first day is after the last one.</span> : null}
      </form>
      {figures ? (
        <div className="period-text">
          <p role="status">
            <b>{daysText(figures.from, figures.to)}</b>, compared with{' '}
            {daysText(figures.before_from, figures.before_to)}.
          </p>
          <SaveButton
            about="report of this period"
            label="Save as PDF"
            name={`Figures-${figures.from}-${figures.to}.pdf`}
            read={(token) => downloadReport(token, query)}
          />
        </div>
      ) : null}
    </section>
  );
}

/** How a number is counted, behind an "i" beside its name. */
export function How({ of, text }: { of: string; text: string }) {
  return (
    <Popover
      className="how"
      summary={
        <>
          <span aria-hidden="true">i</span>
          <span className="visually-hidden">How it is counted: {of}</span>
        </>
      }
    >
      <p className="card-how">{text}</p>
    </Popover>
  );
}
