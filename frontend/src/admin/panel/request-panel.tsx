// The whole request, beside the list: who, what, where, when, in their words, its history, and what
// to do with it.
import { type RefObject, useEffect, useLayoutEffect } from 'react';
import type { Person, RequestItem } from '../../api/inbox';
import { markRead } from '../../api/mail';
import type { VisitorData } from '../../api/person';
import type { Outcome } from '../follow-up/outcome-prompt';
import { OutcomeFact, OutcomePrompt } from '../follow-up/outcome-prompt';
import { FollowUpNotice } from '../follow-up/remind-form';
import type { Viewer } from '../live/live-stream';
import { LaterOffers } from '../offers/later-offers';
import { ActionButtons, type ActionProps, confirmText } from '../requests/action-buttons';
import { isOpen } from '../requests/format';
import { useAuth } from '../session/provider';
import type { Changes } from '../state/use-changes';
import type { OpenRequest } from '../state/use-open-request';
import { Presence } from './assignment';
import { CallableText } from './callable-text';
import { Composer, type ComposerForm, ComposerTabs } from './composer';
import { EditForm } from './edit/edit-form';
import { CameFrom, Facts } from './facts';
import { Files } from './files/files';
import { HeldBox } from './held-box';
import { voiceOf } from './history/conversation';
import { NewestMessage } from './history/newest-message';
import { Timeline } from './history/timeline';
import { MakeQuote } from './make-quote';
import { PanelHead } from './panel-head';
import { Duplicates, Related } from './related';
import { RequestMenu } from './request-menu';

export type PanelProps = Omit<ActionProps, 'request'> & {
  note: string | undefined;
  now: number;
  people: Person[];
  /** The others who have this request open. */
  others: Viewer[];
  detail: OpenRequest['detail'];
  panel: RefObject<HTMLElement | null>;
  heading: RefObject<HTMLHeadingElement | null>;
  form: ComposerForm | undefined;
  openForm(form: ComposerForm): void;
  /** Closes the form if it is this one of this request. */
  closeForm(form: ComposerForm): void;
  hrefOf(id: string): string;
  /** Whether the request was opened on purpose. */
  takesFocus(): boolean;
  assign(assignee: string | null): void;
  correct: Changes['correct'];
  edit: Changes['edit'];
  makeQuote: Changes['makeQuote'];
  markSpam: Changes['markSpam'];
  /** Merges the request with another of the same person. */
  merge(other: string, keep?: string): void;
  separate(duplicate: RequestItem): void;
  remind: Changes['remind'];
  setAside: Changes['setAside'];
  outcome: Outcome;
  undoEvent(event: number): void;
  /** The person of the request was erased. */
  erased(data: VisitorData): void;
  reload(): void;
  close(): void;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
};

export function RequestPanel(props: PanelProps & Pick<ActionProps, 'request'>) {
  useMarkRead(props.request, props.detail, props.reload);
  const { request, pendingConfirm, note, now, detail, panel, heading, takesFocus } = props;
  // With the panel itself: what is pressed right after it was drawn keeps the focus.
  useLayoutEffect(() => {
    if (takesFocus()) heading.current?.focus();
  }, [request.id]);
  // A conversation comes before the facts; without one, what was asked for does.
  const said = detail?.history.some((event) => ['customer', 'us'].includes(voiceOf(event)));
  const thread = (
    <Timeline
      key="thread"
      request={request}
      history={detail?.history}
      now={now}
      undo={props.undoEvent}
      reload={props.reload}
    />
  );
  const editClosed = () => {
    props.closeForm('edit');
    props.reload();
  };
  return (
    <aside ref={panel} className="request-panel" aria-labelledby="panel-title">
      <PanelHead {...props} edit={() => props.openForm('edit')} />
      <div className="panel-body">
        <div className="panel-main">
          <Presence others={props.others} />
          <NewestMessage
            history={detail?.history ?? []}
            now={now}
            setAside={() => props.setAside(request).then(props.reload)}
          />
          {said ? null : <HeldBox request={request} />}
          <FollowUpNotice {...props} />
          {props.form === 'edit' ? (
            <EditForm key={request.id} request={request} edit={props.edit} close={editClosed} />
          ) : null}
          {said ? thread : null}
          {said ? <HeldBox request={request} /> : null}
          <h3>In their words</h3>
          <p className={request.description ? 'panel-words' : 'muted'}>
            {request.description ? <CallableText text={request.description} /> : 'Nothing added.'}
          </p>
          {said ? null : thread}
          {detail && request.kind === 'quote' ? (
            <LaterOffers
              key={request.id}
              request={request}
              events={detail.history.length}
              reload={props.reload}
            />
          ) : null}
        </div>
        <div className="panel-side">
          <Facts request={request} now={now} />
          <OutcomeFact request={request} ask={props.outcome.ask} />
          {detail && (request.kind === 'quote' || detail.files.length > 0) ? (
            <Files
              key={request.id}
              quoteId={request.id}
              files={detail.files}
              history={detail.history}
              takesFiles={request.kind === 'quote'}
              reload={props.reload}
            />
          ) : null}
          <Duplicates duplicates={detail?.duplicates ?? []} now={now} separate={props.separate} />
          <MakeQuote request={request} makeQuote={props.makeQuote} reload={props.reload} />
          <Related
            key={request.id}
            opened={request}
            related={detail?.related ?? []}
            now={now}
            hrefOf={props.hrefOf}
            merge={isOpen(request) && !request.held ? props.merge : undefined}
          />
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
        {detail ? (
          <Composer
            key={`${request.id} ${props.form}`}
            request={request}
            drafts={detail.drafts}
            history={detail.history}
            reload={props.reload}
            form={props.form}
            closeForm={props.closeForm}
            remind={props.remind}
            done={props.reload}
            next={props.next}
            heading={heading}
          />
        ) : null}
        {props.outcome.request?.id === request.id ? (
          <OutcomePrompt outcome={props.outcome} back={() => heading.current?.focus()} />
        ) : null}
        <p className="row-note" role="status">
          {pendingConfirm ? confirmText : note}
        </p>
        <div className="foot-actions">
          <ComposerTabs
            request={request}
            drafts={detail?.drafts ?? []}
            form={props.form}
            openForm={props.openForm}
            closeForm={props.closeForm}
          />
          <ActionButtons {...props} quiet={props.form !== undefined} />
          <RequestMenu
            request={request}
            correct={props.correct}
            markSpam={props.markSpam}
            erased={props.erased}
          />
        </div>
      </div>
    </aside>
  );
}

/** Tells the server that the messages of an open request were read: by everyone, from then on. */
function useMarkRead({ id, unread }: RequestItem, detail: OpenRequest['detail'], reload: () => void) {
  const { manager } = useAuth();
  const isShown = unread && detail !== undefined;
  useEffect(() => {
    if (!isShown) return;
    manager.withToken(markRead, id).then(reload, () => {});
  }, [manager, id, isShown, reload]);
}
