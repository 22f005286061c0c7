// Publication of a section at a time.
import { useState } from 'react';
import type { SiteSection } from '../../api/site';
import { Button } from '../../ui/button';
import { dateTime } from '../requests/format';
import type { Site } from './use-site';

export function Schedule({ site, section }: { site: Site; section: SiteSection }) {
  const { key, draft, schedule } = section;
  const [at, setAt] = useState('');
  if (schedule) {
    const time = dateTime(schedule.at);
    return (
      <div className="site-schedule">
        <p role="status">
          {schedule.refused
            ? `It was not published ${time}: ${schedule.refused}. Mend it, and publish or schedule it again.`
            : `It will be published ${time} (${schedule.by ?? 'a former account'}).`}
        </p>
        <Button look="line" disabled={site.busy} onClick={() => site.schedule(key)}>
          Take off the schedule
        </Button>
      </div>
    );
  }
  if (!draft && !(key in site.edits)) return null;
  return (
    <details className="site-folded">
      <summary>Publish later</summary>
      <div className="site-schedule">
        <label htmlFor="site-at">Day and time, on this computer’s clock</label>
        <input
          id="site-at"
          className="input"
          type="datetime-local"
          value={at}
          onInput={(event) => setAt(event.currentTarget.value)}
        />
        <Button look="line" disabled={site.busy || !at} onClick={() => site.schedule(key, new Date(at))}>
          Schedule
        </Button>
      </div>
    </details>
  );
}
