// How the customer is reached; in its place, the form that corrects this and the other details.
import type { RequestItem } from '../../../api/inbox-types';
import { Button, ButtonLink } from '../../../ui/button';
import { Icon } from '../../../ui/icon';
import { mailtoLink } from '../../../ui/mailto';
import { telLink } from '../../requests/format';
import type { Changes } from '../../state/use-changes';
import type { ComposerForm } from '../composer';
import { EditForm } from './edit-form';

type Props = {
  request: RequestItem;
  form: ComposerForm | undefined;
  openForm(form: ComposerForm): void;
  closeForm(form: ComposerForm): void;
  edit: Changes['edit'];
  reload(): void;
};

export function Reach({ request, form, openForm, closeForm, edit, reload }: Props) {
  if (form === 'edit') {
    const close = () => {
      closeForm('edit');
      reload();
    };
    return <EditForm key={request.id} request={request} edit={edit} close={close} />;
  }
  const open = (text: string, label?: string) =>
    request.held ? null : (
      <Button look="quiet" className="edit-open" aria-label={label} onClick={() => openForm('edit')}>
        {text}
      </Button>
    );
  return (
    <div className="panel-reach">
      {request.phone ? (
        <ButtonLink href={telLink(request.phone)} look={request.emergency_contact ? 'signal' : 'line'}>
          <Icon name="phone" />
          {request.phone}
        </ButtonLink>
      ) : (
        <p className="muted">No phone number was given.</p>
      )}
      {request.email ? (
        <a className="panel-mail" href={mailtoLink(request.email)}>
          <Address of={request.email} />
        </a>
      ) : (
        <p className="muted">No email address was given. {open('Add it', 'Add an email address')}</p>
      )}
      {request.email ? open('Edit details') : null}
    </div>
  );
}

/** An address that is too long for its line breaks before its domain. */
function Address({ of }: { of: string }) {
  const at = of.lastIndexOf('@');
  return (
    <span>
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </span>
  );
}
