import { useState } from 'react';
import { MOUNT } from '../api/client';
import './stranger-frame.css';

export const FRAME_WIDTHS = ['phone', 'tablet', 'full'] as const;
export type FrameWidth = (typeof FRAME_WIDTHS)[number];

interface StrangerFrameProps {
  /** Path of the html below the mount path: `frames/inbox/{id}`. */
  path: string;
  /** Its subject, for assistive technology. */
  title: string;
  /** Number of its remote images, if known. */
  remoteImages?: number;
  width: FrameWidth;
  onWidth: (width: FrameWidth) => void;
}

/**
 * Html of strangers, as its own document under its own policy: no scripts, no forms, no access to the surrounding page,
 * and no remote content except images, if the reader allows them here. The permission ends with the message: pass it as
 * `key`.
 */
export function StrangerFrame({ path, title, remoteImages, width, onWidth }: StrangerFrameProps) {
  const [hasImages, setImages] = useState(false);
  return (
    <div className="stranger-frame">
      <div className="bar">
        <div className="widths" role="radiogroup" aria-label="Width">
          {FRAME_WIDTHS.map((name) => (
            <label key={name}>
              <input type="radio" name="frame-width" checked={name === width} onChange={() => onWidth(name)} /> {name}
            </label>
          ))}
        </div>
        {remoteImages !== 0 && (
          <span className="bar end">
            <span className="soft" role="status">
              {hasImages ? 'Remote images are loaded.' : imagesLeftOut(remoteImages)}
            </span>
            <button type="button" onClick={() => setImages(!hasImages)}>
              {hasImages ? 'Block images' : 'Load images'}
            </button>
          </span>
        )}
      </div>
      <iframe
        className={width}
        src={`${MOUNT}${path}${hasImages ? '?images=1' : ''}`}
        title={title}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
      />
    </div>
  );
}

/** The width in the address. */
export function widthOf(value: string | null): FrameWidth {
  return FRAME_WIDTHS.find((width) => width === value) ?? 'full';
}

function imagesLeftOut(count: number | undefined): string {
  if (count === undefined) return 'Remote images are blocked.';
  return count === 1 ? '1 remote image is blocked.' : `${count} remote images are blocked.`;
}
