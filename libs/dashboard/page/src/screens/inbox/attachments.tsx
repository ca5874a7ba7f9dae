import { MOUNT } from '../../api/client';
import { plainName } from '../../parts/plain-name';
import { sizeOf } from '../../parts/sizes';
import { type InboxMessage, pathOf } from './inbox-api';
import { TEXTS } from './texts';

/** Attachments of the message. Images are shown small; all others are only downloaded. */
export function Attachments({ message }: { message: InboxMessage }) {
  return (
    <ul className="inbox-attachments">
      {message.attachments.map(({ index, filename, content_type: type, size, is_image: isImage }) => {
        const name = plainName(filename ?? `attachment-${index + 1}`);
        return (
          <li key={index} className="bar">
            <span className="thumbnail">
              {isImage && (
                <img
                  src={`${MOUNT}${pathOf(message.id)}/thumbnails/${index}`}
                  alt={TEXTS.imageOf(name)}
                  loading="lazy"
                  decoding="async"
                />
              )}
            </span>
            <span className="stranger name">{name}</span>
            <span className="soft">
              <span className="stranger">{type}</span>, {sizeOf(size)}
            </span>
            <a
              className="button"
              href={`${MOUNT}${pathOf(message.id)}/attachments/${index}`}
              download={name}
              aria-label={TEXTS.downloadOf(name)}
            >
              {TEXTS.download}
            </a>
          </li>
        );
      })}
    </ul>
  );
}
