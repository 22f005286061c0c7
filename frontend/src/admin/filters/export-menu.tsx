// Exports what the list shows: the same filters, as a file.
import { useState } from 'react';
import { exportRequests } from '../../api/inbox';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { type DeskUrl, filterQuery, unsorted } from '../requests/desk-url';
import { useAuth } from '../session/provider';
import { Popover } from '../ui/popover';
import { saveFile } from '../ui/save-file';
import { errorMessage } from '../ui/use-submit';

export function ExportMenu({ url, count }: { url: DeskUrl; count: number | undefined }) {
  const { withRecentSignIn } = useAuth();
  const [busy, setBusy] = useState(false);

  async function exportAs(format: 'csv' | 'json') {
    setBusy(true);
    try {
      const query = filterQuery(unsorted(url));
      const file = await withRecentSignIn((token) => exportRequests(token, query, format));
      saveFile(file, `requests-${new Date().toISOString().slice(0, 10)}.${format}`);
      toast({ title: 'Exported', detail: 'The file is in your downloads.' });
    } catch (error) {
      toast({ title: 'Not exported', detail: errorMessage(error), destructive: true });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Popover className="export" summary="Export">
      <p className="muted">
        {count === undefined ? 'The requests' : `The ${count.toLocaleString('en-US')} requests`} of this view,
        with its filters.
      </p>
      <Button look="line" disabled={busy} onClick={() => exportAs('csv')}>
        CSV for spreadsheets
      </Button>
      <Button look="line" disabled={busy} onClick={() => exportAs('json')}>
        JSON
      </Button>
    </Popover>
  );
}
