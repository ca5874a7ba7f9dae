import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client';
import type { EmailAttachment, List } from '../../../api/types';
import { plainName } from '../../../parts/plain-name';
import { Problem } from '../../../parts/problem';
import { sizeOf } from '../../../parts/sizes';

/** Links are valid for an hour; they are renewed before that. Milliseconds. */
const RENEWAL = 1_800_000;

/** The files of an email, with links to their bytes. */
export function Attachments({ id }: { id: string }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['emails', 'attachments', id],
    queryFn: ({ signal }) => api<List<EmailAttachment>>('GET', `emails/${id}/attachments`, { signal }),
    refetchInterval: RENEWAL,
  });
  if (error) return <Problem what="The attachments could not be listed" error={error} />;
  if (isPending) return <p className="only-read">Loading</p>;
  if (data.data.length === 0) return <p className="soft">The email has no attachments, or they are no longer kept.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Size</th>
        </tr>
      </thead>
      <tbody>
        {data.data.map(({ id: attachmentId, filename, content_type, content_id, size, download_url }) => (
          <tr key={attachmentId}>
            <td>
              <a href={download_url} download>
                {plainName(filename ?? content_id ?? 'Without a name')}
              </a>
            </td>
            <td>{content_type}</td>
            <td>{sizeOf(size)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
