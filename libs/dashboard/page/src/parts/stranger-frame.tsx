import { useState } from 'react';
import { MOUNT } from '../api/client';
import './stranger-frame.css';

export const FRAME_WIDTHS = ['phone', 'tablet', 'full'] as const;
export type FrameWidth = (typeof FRAME_WIDTHS)[number];

interface StrangerFrameProps {
  /** Where the html is, below the mount path: `frames/inbox/{id}`. */
  path: string;
  /** What it is of, for assistive technology. */
  title: string;
  /** How many images it names elsewhere, where that is known. */
  remoteImages?: number;
  width: FrameWidth;
  onWidth: (width: FrameWidth) => void;
}

/**
 * Html of strangers, as its own document under its own policy: no scripts, no forms, nothing of the page around it, and
 * nothing from elsewhere but images, when asked for here. What was asked for is forgotten with the message: give it as `key`.
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
              {hasImages ? 'Images are loaded from where the message says.' : imagesLeftOut(remoteImages)}
            </span>
            <button type="button" onClick={() => setImages(!hasImages)}>
              {hasImages ? 'Leave them out' : 'Load images'}
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

/** The width that an address asks for. */
export function widthOf(value: string | null): FrameWidth {
  return FRAME_WIDTHS.find((width) => width === value) ?? 'full';
}

function imagesLeftOut(count: number | undefined): string {
  if (count === undefined) return 'Images from elsewhere are left out.';
  return count === 1 ? '1 image from elsewhere is left out.' : `${count} images from elsewhere are left out.`;
}
