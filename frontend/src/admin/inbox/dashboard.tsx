// The admin dashboard: the views, the list, the request that is open beside it, and the keys that
// work them.
import { useState } from 'react';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useCommands } from '../commands/command-list';
import { FilterChips, FilterForm } from '../filters/filter-form';
import { SavedFilters, useSavedFilters } from '../filters/saved-filters';
import { ExportMenu, Search, StaleNotice, StatusFilter } from '../filters/toolbar';
import { Views } from '../filters/views';
import { OutcomePrompt } from '../follow-up/outcome-prompt';
import { BulkBar } from '../list/bulk-bar';
import { NewRequestsBanner } from '../list/new-requests-banner';
import { RequestList } from '../list/request-list';
import { OpenRequest } from '../panel/request-panel';
import { PhoneForm } from '../phone/phone-form';
import { parseDeskUrl } from '../requests/desk-url';
import { useAuth } from '../session/provider';
import { useDrafts } from '../state/drafts';
import { ActionsProvider, DeskProvider, useDeskStore } from '../state/use-desk';
import { Heading } from '../ui/heading';
import { Burning, CallClicks, SavedTabs, useDeskLive, useTitleCount } from './counts';
import { pressedOn } from './desk-commands';
import { ErasedNotice, Refusals, UnmatchedNotice } from './notices';
import { Problems } from './problems';
import { shortcuts, useShortcuts } from './shortcuts';
import { ShortcutsHelp } from './shortcuts-help';

export function Dashboard({ search }: { search: string }) {
  const { isAdmin } = useAuth();
  const url = parseDeskUrl(search);
  const desk = useDeskStore(url);
  const { store, openId, outcome, selection, phoneOpen } = desk;
  const { list } = store.state;
  const saved = useSavedFilters();
  const [help, setHelp] = useState(false);
  useDrafts();
  useDeskLive(desk);
  useTitleCount(store.state);
  const press = pressedOn(desk, () => setHelp(true));
  useShortcuts(press);
  useCommands(
    shortcuts.map(({ command, key, does }) => ({ name: does, hotkey: key, run: () => press(command) })),
  );
  const all = list?.countsAtLeast ? undefined : desk.total;
  return (
    <DeskProvider value={desk}>
      <ActionsProvider value={desk.actions}>
        <div className={url.request || phoneOpen ? 'queue queue-open' : 'queue'}>
          <div className="queue-main">
            <NewRequestsBanner />
            <div className="list-top">
              <div className="queue-top">
                <Heading>Admin Dashboard</Heading>
                <Burning />
                <Problems />
                <CallClicks />
                {list && list.ids.length > 0 ? (
                  <Button look="quiet" className="select-all" onClick={selection.selectAll}>
                    {list.nextCursor && all ? `Select all ${all.toLocaleString('en-US')}` : 'Select all'}
                  </Button>
                ) : null}
                <Button look="line" className="take-call" aria-label="Phone request" onClick={desk.takeCall}>
                  <Icon name="phone" />
                  <span>Phone request</span>
                </Button>
                <button type="button" className="keys-button" onClick={() => setHelp(true)}>
                  <kbd>?</kbd> Keys
                </button>
              </div>
              <div className="toolbar">
                <Views here={url.view} counts={list?.views}>
                  <SavedTabs url={url} filters={saved.filters} />
                </Views>
                <StatusFilter />
                <Search />
                <div className="tools">
                  <FilterForm />
                  <SavedFilters url={url} {...saved} />
                  {isAdmin ? <ExportMenu /> : null}
                </div>
              </div>
            </div>
            <FilterChips />
            <UnmatchedNotice />
            <RequestList />
            <StaleNotice />
            <ErasedNotice />
            <Refusals />
            {outcome.request?.id === openId ? null : <OutcomePrompt />}
            <BulkBar />
          </div>
          {phoneOpen ? <PhoneForm /> : <OpenRequest />}
          {help ? <ShortcutsHelp close={() => setHelp(false)} /> : null}
        </div>
      </ActionsProvider>
    </DeskProvider>
  );
}
