// The place beside the list: the request that is open, or what stands there while none is.
import { Button } from '../../ui/button';
import type { OpenRequest as OpenRequestState } from '../state/use-open-request';
import { Waiting } from '../ui/waiting';
import { type PanelProps, RequestPanel } from './request-panel';

type Props = Omit<PanelProps, 'detail' | 'reload'> & { id: string | undefined; state: OpenRequestState };

export function OpenRequest({ id, state, ...rest }: Props) {
  if (!id) {
    return (
      <aside className="request-panel panel-none" aria-label="Open request">
        <p className="muted">Choose a request to see it whole.</p>
      </aside>
    );
  }
  const { request, detail, missing, failed, reload } = state;
  if (request && !missing)
    return <RequestPanel {...rest} request={request} detail={detail} reload={reload} />;
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
        <Button look="line" onClick={rest.close}>
          Close
        </Button>
      </div>
    </aside>
  );
}
