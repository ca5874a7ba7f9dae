import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { FormDialog } from '../../parts/form-dialog';
import { type InboxMessage, type ReleasedRecipient, releaseMessage } from './inbox-api';
import { TEXTS } from './texts';

interface ReleaseDialogProps {
  message: InboxMessage;
  onClose: () => void;
}

/** Sends the message to real mailboxes, and shows the server's answers. */
export function ReleaseDialog({ message, onClose }: ReleaseDialogProps) {
  const [to, setTo] = useState(message.envelope.to.join(', '));
  const releasing = useMutation({ mutationFn: () => releaseMessage(message.id, addressesIn(to)) });
  if (releasing.data) return <Answers recipients={releasing.data} onClose={onClose} />;
  return (
    <FormDialog
      title={TEXTS.releaseTitle}
      action={TEXTS.releaseAction}
      task={releasing}
      failure={TEXTS.releaseFailed}
      onClose={onClose}
    >
      <p>{TEXTS.releaseLead}</p>
      <Field label={TEXTS.releaseTo} hint={TEXTS.releaseHint}>
        {(ids) => <input {...ids} required value={to} onChange={({ target }) => setTo(target.value)} />}
      </Field>
    </FormDialog>
  );
}

function Answers({ recipients, onClose }: { recipients: readonly ReleasedRecipient[]; onClose: () => void }) {
  return (
    <Dialog title={TEXTS.released} onClose={onClose}>
      <dl>
        {recipients.map(({ address, accepted, reply }) => (
          <div key={address} style={{ display: 'contents' }}>
            <dt className="stranger">{address}</dt>
            <dd>
              {accepted ? TEXTS.accepted : TEXTS.refused}: <span className="mono stranger">{reply}</span>
            </dd>
          </div>
        ))}
      </dl>
      <div className="bar">
        <button type="button" className="primary" onClick={onClose}>
          {TEXTS.done}
        </button>
      </div>
    </Dialog>
  );
}

/** Addresses with commas, semicolons or blanks between them. */
function addressesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== '');
}
