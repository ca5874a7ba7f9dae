import { MOUNT } from '../../api/client';
import { plainName } from '../../parts/plain-name';
import { sizeOf } from '../../parts/sizes';
import { type InboxMessage, pathOf } from './inbox-api';

/** Attachments of the message. They are never shown, only downloaded. */
export function Attachments({ message }: { message: InboxMessage }) {
  return (
    <ul className="inbox-attachments">
      {message.attachments.map(({ index, filename, content_type: type, size }) => {
        const name = plainName(filename ?? `attachment-${index + 1}`);
        return (
          <li key={index} className="bar">
            <span className="stranger name">{name}</span>
            <span className="soft">
              <span className="stranger">{type}</span>, {sizeOf(size)}
            </span>
            <a
              className="button"
              href={`${MOUNT}${pathOf(message.id)}/attachments/${index}`}
              download={name}
              aria-label={`Download ${name}`}
            >
              Download
            </a>
          </li>
        );
      })}
    </ul>
  );
}
