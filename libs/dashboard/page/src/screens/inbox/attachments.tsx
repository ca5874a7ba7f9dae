import { plainName } from '../../parts/plain-name';
import { sizeOf } from '../../parts/sizes';
import { DownloadButton } from './download-button';
import { type InboxMessage, pathOf } from './inbox-api';

/** What the message carries. Nothing of it is shown, only downloaded. */
export function Attachments({ message }: { message: InboxMessage }) {
  return (
    <table>
      <caption className="only-read">Attachments</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Size</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {message.attachments.map(({ index, filename, content_type: type, size }) => {
          const name = plainName(filename ?? `attachment-${index + 1}`);
          return (
            <tr key={index}>
              <th scope="row" className="stranger">
                {name}
              </th>
              <td className="stranger">{type}</td>
              <td>{sizeOf(size)}</td>
              <td>
                <DownloadButton path={`${pathOf(message.id)}/attachments/${index}`} fileName={name} what={name}>
                  Download
                </DownloadButton>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
