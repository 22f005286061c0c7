// The admin dashboard: the views, the list, the request that is open beside it, and the keys that
// work them.
import { useRef, useState } from 'react';
import type { VisitorData } from '../../api/person';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { useCommands } from '../commands/command-list';
import { FilterChips, FilterForm } from '../filters/filter-form';
import { SavedFilters, useSavedFilters } from '../filters/saved-filters';
import { ExportMenu, Search, StaleNotice, StatusFilter } from '../filters/toolbar';
import { Views } from '../filters/views';
import { OutcomePrompt, useOutcome } from '../follow-up/outcome-prompt';
import { NewRequestsBanner } from '../list/new-requests-banner';
import { RequestList } from '../list/request-list';
import { useRowFocus } from '../list/use-row-focus';
import { usePresence } from '../live/use-presence';
import type { ComposerForm } from '../panel/composer';
import { isDrafted, useDrafts } from '../panel/drafts';
import { OpenRequest } from '../panel/open-request';
import { PhoneForm } from '../phone/phone-form';
import { BulkBar } from '../requests/bulk-bar';
import { formatDeskUrl, leaveRequest, navigateDesk, parseDeskUrl } from '../requests/desk-url';
import { idOf, totalCount } from '../requests/request-list-state';
import { OfferContext } from '../requests/undo';
import { useAuth } from '../session/provider';
import { useChanges } from '../state/use-changes';
import { useOpenRequest } from '../state/use-open-request';
import { usePendingConfirm } from '../state/use-pending-confirm';
import { useRequestList } from '../state/use-request-list';
import { useSelection } from '../state/use-selection';
import { usePeople, useSystem } from '../state/use-system';
import { Heading } from '../ui/heading';
import { useNow } from '../ui/use-now';
import { useStable } from '../ui/use-stable';
import { CallClicks } from './call-clicks';
import { Burning, SavedTabs } from './counts';
import { ErasedNotice, Refusals, UnmatchedNotice } from './notices';
import { Problems } from './problems';
import { shortcuts, useShortcuts } from './shortcuts';
import { ShortcutsHelp } from './shortcuts-help';
import { selectionConfirm, useDeskCommands } from './use-desk-commands';
import { useDeskLive, useTitleCount } from './use-desk-live';

export function Dashboard({ search }: { search: string }) {
  const { isAdmin } = useAuth();
  const url = parseDeskUrl(search);
  const store = useRequestList(url);
  const { state } = store;
  const { requests, list } = state;
  const openId = idOf(state, url.request);
  const open = useOpenRequest(url.request, requests.get(openId ?? ''), store);
  useDrafts();
  const outcome = useOutcome(requests, (...ended) => changes.recordOutcome(...ended));
  const changes = useChanges(store, ({ id }) => outcome.ask(id));
  const people = usePeople();
  const saved = useSavedFilters();
  const system = useSystem();
  const rowFocus = useRowFocus();
  const total =
    list && (url.filters.status ? list.counts[url.filters.status as 'pending'] : totalCount(list.counts));
  const knownTotal = list?.countsAtLeast ? undefined : total;
  const selection = useSelection(url, {
    ids: list?.ids ?? [],
    complete: list?.nextCursor === null,
    total: knownTotal,
  });
  const searchBox = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);
  const panelHeading = useRef<HTMLHeadingElement>(null);
  const [help, setHelp] = useState(false);
  const [phone, setPhone] = useState(false);
  // A request that is opened takes the place of the form, whose text is kept.
  const phoneOpen = phone && !url.request;
  const [composer, setComposer] = useState<{ request: string; form: ComposerForm }>();
  const [erased, setErased] = useState<VisitorData>();
  const [pendingConfirm, setPendingConfirm] = usePendingConfirm();
  const now = useNow();
  const form = composer?.request === openId ? composer?.form : undefined;
  useDeskLive(store, open);
  const others = usePresence({ request: open.request?.id, replying: form === 'reply' });
  const unseen = (list?.unseen ?? []).flatMap((id) => requests.get(id) ?? []);
  useTitleCount(state);
  const commands = useDeskCommands({
    url,
    store,
    changes,
    selection,
    rowFocus,
    panel,
    panelHeading,
    searchBox,
    pendingConfirm,
    setPendingConfirm,
    formOpen: composer !== undefined && composer.request === openId,
    setComposer,
    showHelp: () => setHelp(true),
    phoneOpen,
    setPhone,
    outcome,
  });
  useShortcuts(commands.press);
  useCommands(
    shortcuts.map(({ command, key, does }) => ({
      name: does,
      hotkey: key,
      run: () => commands.press(command),
    })),
  );

  const { move, confirmStaffed, release, discard, walk } = commands;
  const { busy, notes, undoable, undo } = changes;
  const rowActions = useStable({ move, confirmStaffed, release, discard, undo, select: selection.select });
  const hrefOf = (id: string) => formatDeskUrl({ ...url, request: id });
  return (
    <div className={url.request || phoneOpen ? 'queue queue-open' : 'queue'}>
      <div className="queue-main">
        <NewRequestsBanner unseen={unseen} show={commands.showNew} />
        <div className="list-top">
          <div className="queue-top">
            <Heading>Admin Dashboard</Heading>
            <Burning />
            <Problems system={system} hrefOf={hrefOf} />
            <CallClicks />
            <Button look="line" className="take-call" aria-label="Phone request" onClick={commands.takeCall}>
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
            <StatusFilter url={url} counts={list?.counts} atLeast={list?.countsAtLeast ?? false} />
            <Search url={url} box={searchBox} letGo={commands.run.letGo} />
            <div className="tools">
              <FilterForm url={url} people={people} />
              <SavedFilters url={url} {...saved} />
              {isAdmin ? <ExportMenu url={url} count={total} /> : null}
              {list && list.ids.length > 0 ? (
                <Button look="quiet" className="select-all" onClick={selection.selectAll}>
                  {list.nextCursor && knownTotal
                    ? `Select all ${knownTotal.toLocaleString('en-US')}`
                    : 'Select all'}
                </Button>
              ) : null}
            </div>
          </div>
        </div>
        <FilterChips url={url} people={people} />
        <UnmatchedNotice url={url} count={list?.views.unmatched ?? 0} />
        <RequestList
          {...{ url, state, busy, notes, undoable, now, pendingConfirm, rowFocus, hrefOf }}
          {...rowActions}
          phase={store.phase}
          open={openId}
          selected={selection.ids}
          isDrafted={isDrafted}
          load={store.load}
          loadMore={store.loadMore}
        />
        <StaleNotice freshness={store.freshness} incomplete={list?.incomplete ?? false} />
        <ErasedNotice data={erased} close={() => setErased(undefined)} />
        <Refusals refused={changes.refused} close={changes.clearRefused} />
        {outcome.request?.id === openId ? null : (
          <OutcomePrompt outcome={outcome} back={() => rowFocus.focus(outcome.request?.id)} />
        )}
        <BulkBar
          count={selection.ids.size}
          people={people}
          pendingConfirm={pendingConfirm === selectionConfirm}
          progress={
            (changes.progress && { doing: 'Changing', ...changes.progress }) ??
            (selection.progress && { doing: 'Selecting', ...selection.progress })
          }
          takersOf={(action) => commands.takersOf(action).length}
          move={commands.moveSelected}
          assign={commands.assignSelected}
          clear={selection.clear}
        />
      </div>
      <OfferContext.Provider value={changes.offer}>
        {phoneOpen ? (
          <PhoneForm
            close={commands.closePhone}
            hrefOf={hrefOf}
            stored={(request) => {
              setPhone(false);
              // Opening it would end its alarm.
              const here = parseDeskUrl(location.search);
              if (request.assignee && !here.request) navigateDesk({ ...here, request: request.id });
              store.load();
            }}
          />
        ) : (
          <OpenRequest
            {...{ now, people, panel, others, hrefOf, undo, move, confirmStaffed, release, discard }}
            id={url.request}
            state={open}
            form={form}
            openForm={(form) => openId && setComposer({ request: openId, form })}
            // Called also when a call ends whose request is no longer open.
            closeForm={(form) =>
              setComposer((now) => (now?.request === openId && now?.form === form ? undefined : now))
            }
            heading={panelHeading}
            busy={busy.has(openId ?? '')}
            pendingConfirm={openId !== undefined && pendingConfirm === openId}
            undoable={undoable.get(openId ?? '')}
            note={notes[openId ?? '']}
            takesFocus={commands.takesFocus}
            assign={(assignee) => open.request && commands.assign(open.request, assignee)}
            undoEvent={async (event) => {
              if (openId) await changes.undoEvent(openId, event);
              open.reload();
            }}
            erased={(data) => {
              setErased(data);
              if (open.request) leaveRequest(open.request);
              store.load();
            }}
            close={commands.close}
            previous={walk(-1)}
            next={walk(1)}
            correct={changes.correct}
            edit={changes.edit}
            makeQuote={changes.makeQuote}
            markSpam={changes.markSpam}
            merge={(other, keep) => {
              const { request } = open;
              if (!request) return;
              changes.merge(request, other, keep, (kept) => {
                leaveRequest(request, kept.id);
                open.reload();
              });
            }}
            separate={(duplicate) => {
              if (open.request) changes.separate(open.request, duplicate, open.reload);
            }}
            remind={changes.remind}
            setAside={changes.setAside}
            outcome={outcome}
          />
        )}
      </OfferContext.Provider>
      {help ? <ShortcutsHelp close={() => setHelp(false)} /> : null}
    </div>
  );
}
