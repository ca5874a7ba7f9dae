import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../../../api/session';
import type { Email } from '../../../../api/types';
import { curlOf } from '../../../../parts/curl';
import { Dialog } from '../../../../parts/dialog';
import { Snippet } from '../../../../parts/snippet';
import { TEXTS } from '../texts';
import { requestOf } from './email-request';

const texts = TEXTS.curl;

/** Limit of the shown command; a copy is whole. Characters. */
const SHOWN = 4_000;

interface CopyCurlProps {
  email: Email;
  attachmentCount: number;
  onClose: () => void;
}

/** A command that sends an email with the same values. */
export function CopyCurl({ email, attachmentCount, onClose }: CopyCurlProps) {
  const { data: session } = useQuery(sessionQuery);
  const text = curlOf(session?.apiUrl ?? '', 'POST', 'emails', requestOf(email));
  const isLong = text.length > SHOWN;
  const shown = isLong ? `${text.slice(0, SHOWN)}…` : text;
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p>
        {texts.meaning} {texts.leftOut(attachmentCount)}
      </p>
      <Snippet label={texts.label} texts={[{ name: 'curl', title: 'cURL', text, shown }]} />
      {isLong && <p className="soft">{texts.shortened(SHOWN)}</p>}
      <button type="button" className="email-done" onClick={onClose}>
        {texts.done}
      </button>
    </Dialog>
  );
}
