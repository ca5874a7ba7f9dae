import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { QuestionDialog, ResultDialog } from '../../parts/question-dialog';
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
    <QuestionDialog
      title={TEXTS.releaseTitle}
      action={TEXTS.releaseAction}
      task={releasing}
      failure={TEXTS.releaseFailed}
      lead={TEXTS.releaseLead}
      label={TEXTS.releaseTo}
      hint={TEXTS.releaseHint}
      onClose={onClose}
    >
      {(ids) => <input {...ids} required value={to} onChange={({ target }) => setTo(target.value)} />}
    </QuestionDialog>
  );
}

function Answers({ recipients, onClose }: { recipients: readonly ReleasedRecipient[]; onClose: () => void }) {
  return (
    <ResultDialog title={TEXTS.released} done={TEXTS.done} onClose={onClose}>
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
    </ResultDialog>
  );
}

/** Addresses with commas, semicolons or blanks between them. */
function addressesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== '');
}
