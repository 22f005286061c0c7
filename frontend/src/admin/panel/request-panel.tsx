// The whole request, beside the list: who, what, where, when, in their words, its history, and what
// to do with it.

import { useEffect, useLayoutEffect } from 'react';
import type { RequestItem } from '../../api/inbox';
import { markRead } from '../../api/mail';
import { Button } from '../../ui/button';
import { OutcomeFact, OutcomePrompt } from '../follow-up/outcome-prompt';
import { FollowUpNotice } from '../follow-up/remind-form';
import { ActionButtons, confirmText } from '../list/action-buttons';
import { useAuth } from '../session/provider';
import { useDesk } from '../state/use-desk';
import type { OpenRequest as Opened } from '../state/use-open-request';
import { later } from '../ui/later';
import { Waiting } from '../ui/waiting';
import { CallableText } from './callable-text';
import { Composer, ComposerTabs } from './composer';
import { EditForm } from './edit-form';
import { CameFrom, Facts, HeldBox } from './facts';
import { Files } from './files/files';
import { voiceOf } from './history/conversation';
import { NewestMessage } from './history/newest-message';
import { Timeline } from './history/timeline';
import { PanelHead, Presence } from './panel-head';
import { Duplicates, MakeQuote, Related } from './related';
import { RequestMenu } from './request-menu';

/** The place beside the list: the request that is open, or what stands there while none is. */
export function OpenRequest() {
  const { url, open, close } = useDesk();
  if (!url.request) {
    return (
      <aside className="request-panel panel-none" aria-label="Open request">
        <p className="muted">Choose a request to see it whole.</p>
      </aside>
    );
  }
  const { request, missing, failed, reload } = open;
  if (request && !missing) return <RequestPanel request={request} />;
  return (
    <aside className="request-panel" aria-label="Open request">
      {missing ? (
        <div className="empty">
          <p role="status">There is no such request.</p>
        </div>
      ) : (
        <Waiting problem={failed ? 'It could not be loaded.' : ''} retry={reload} />
      )}
      <div className="actions">
        <Button look="line" onClick={close}>
          Close
        </Button>
      </div>
    </aside>
  );
}

function RequestPanel({ request }: { request: RequestItem }) {
  const { open, now, panel, heading, takesFocus, form, changes, outcome, ...desk } = useDesk();
  const { detail, reload } = open;
  useMarkRead(request, detail, reload);
  // With the panel itself: what is pressed right after it was drawn keeps the focus.
  useLayoutEffect(() => {
    if (takesFocus()) heading.current?.focus();
  }, [request.id]);
  // A conversation comes before the facts; without one, what was asked for does.
  const said = detail?.history.some((event) => ['customer', 'us'].includes(voiceOf(event)));
  const thread = <Timeline key="thread" request={request} />;
  const pendingConfirm = desk.pendingConfirm === request.id;
  return (
    <aside ref={panel} className="request-panel" aria-labelledby="panel-title">
      <PanelHead request={request} />
      <div className="panel-body">
        <div className="panel-main">
          <Presence />
          <NewestMessage detail={detail} now={now} setAside={() => changes.setAside(request).then(reload)} />
          {said ? null : <HeldBox request={request} />}
          <FollowUpNotice request={request} />
          {form === 'edit' ? <EditForm key={request.id} request={request} /> : null}
          {said ? thread : null}
          {said ? <HeldBox request={request} /> : null}
          <h3>In their words</h3>
          <p className={request.description ? 'panel-words' : 'muted'}>
            {request.description ? <CallableText text={request.description} /> : 'Nothing added.'}
          </p>
          {said ? null : thread}
          {detail && request.kind === 'quote' ? (
            <LaterOffers key={request.id} request={request} events={detail.history.length} reload={reload} />
          ) : null}
        </div>
        <div className="panel-side">
          <Facts request={request} now={now} />
          <OutcomeFact request={request} />
          {detail && (request.kind === 'quote' || detail.files.length > 0) ? (
            <Files
              key={request.id}
              quoteId={request.id}
              files={detail.files}
              history={detail.history}
              takesFiles={request.kind === 'quote'}
              reload={reload}
            />
          ) : null}
          <Duplicates duplicates={detail?.duplicates ?? []} />
          <MakeQuote request={request} />
          <Related key={request.id} opened={request} related={detail?.related ?? []} />
          <section className="came-from">
            <h3>Came from</h3>
            {request.source === 'phone' ? (
              <p className="muted">A call, typed at the desk</p>
            ) : (
              <CameFrom {...(request.attribution ?? {})} />
            )}
          </section>
        </div>
      </div>
      <div className="panel-foot">
        {detail ? <Composer key={`${request.id} ${form}`} request={request} detail={detail} /> : null}
        {outcome.request?.id === request.id ? <OutcomePrompt /> : null}
        <p className="row-note" role="status">
          {pendingConfirm ? confirmText : changes.notes[request.id]}
        </p>
        <div className="foot-actions">
          <ComposerTabs request={request} />
          <ActionButtons
            request={request}
            busy={changes.busy.has(request.id)}
            pendingConfirm={pendingConfirm}
            undoable={changes.undoable.get(request.id)}
            quiet={form !== undefined}
          />
          <RequestMenu request={request} />
        </div>
      </div>
    </aside>
  );
}

/** Tells the server that the messages of an open request were read: by everyone, from then on. */
function useMarkRead({ id, unread }: RequestItem, detail: Opened['detail'], reload: () => void) {
  const { manager } = useAuth();
  const isShown = unread && detail !== undefined;
  useEffect(() => {
    if (!isShown) return;
    manager.withToken(markRead, id).then(reload, () => {});
  }, [manager, id, isShown, reload]);
}

// The offers of the open request, loaded when a request is opened.

const LaterOffers = later(() => import('../offers/offers'));
