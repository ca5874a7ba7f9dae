import { Paperclip } from 'lucide-react';
import type { EmailAttachment } from '../../../../api/types';
import { plainName } from '../../../../parts/plain-name';
import { Problem } from '../../../../parts/problem';
import { sizeOf } from '../../../../parts/sizes';
import { ListSkeleton } from '../../../../parts/skeleton';
import { TEXTS } from '../texts';

const columns = TEXTS.attachmentColumns;

interface AttachmentsProps {
  data: readonly EmailAttachment[] | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** The files of an email, with links to their bytes. */
export function Attachments({ data, error, refetch }: AttachmentsProps) {
  if (error) return <Problem what={TEXTS.attachmentsNotRead} error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  if (data.length === 0) return <p className="soft">{TEXTS.nothing.noAttachments}</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.type}</th>
          <th scope="col">{columns.size}</th>
        </tr>
      </thead>
      <tbody>
        {data.map(({ id, filename, content_type: type, content_id: contentId, size, download_url: url }) => (
          <tr key={id}>
            <td className="email-file">
              <Paperclip className="icon" size={14} aria-hidden="true" />{' '}
              <a href={url} download>
                <bdi>{plainName(filename ?? contentId ?? TEXTS.unnamed)}</bdi>
              </a>
            </td>
            <td className="email-file">{type}</td>
            <td>{sizeOf(size)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
