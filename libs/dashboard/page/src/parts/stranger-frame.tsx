import { type LucideIcon, Monitor, Moon, Smartphone, Sun, Tablet } from 'lucide-react';
import { useState } from 'react';
import { MOUNT } from '../api/client';
import './stranger-frame.css';

export const FRAME_WIDTHS = ['phone', 'tablet', 'full'] as const;
export type FrameWidth = (typeof FRAME_WIDTHS)[number];

export const FRAME_GROUNDS = ['light', 'dark'] as const;
export type FrameGround = (typeof FRAME_GROUNDS)[number];

const WIDTHS = {
  phone: { title: 'Phone', icon: Smartphone },
  tablet: { title: 'Tablet', icon: Tablet },
  full: { title: 'Desktop', icon: Monitor },
};

const GROUNDS = {
  light: { title: 'Light', icon: Sun },
  dark: { title: 'Dark', icon: Moon },
};

interface StrangerFrameProps {
  /** Path of the html below the mount path: `frames/inbox/{id}`. */
  path: string;
  /** Its subject, for assistive technology. */
  title: string;
  /** Number of its remote images, if known. */
  remoteImages?: number | undefined;
  width: FrameWidth;
  onWidth: (width: FrameWidth) => void;
  /** Default: light. */
  ground?: FrameGround;
  /** Absent: the ground cannot be chosen. */
  onGround?: (ground: FrameGround) => void;
}

/**
 * Html of strangers, as its own document under its own policy: no scripts, no forms, no access to the surrounding page,
 * and no remote content except images, if the reader allows them here. The permission ends with the message: pass it as
 * `key`.
 */
export function StrangerFrame(props: StrangerFrameProps) {
  const { path, title, remoteImages, width, onWidth, ground = 'light', onGround } = props;
  const [hasImages, setImages] = useState(false);
  const flags = [hasImages && 'images=1', ground === 'dark' && 'dark=1'].filter(Boolean).join('&');
  return (
    <div className="stranger-frame">
      <div className="bar">
        <Choice label="Width" options={WIDTHS} chosen={width} onChoose={onWidth} />
        {onGround && <Choice label="Ground" options={GROUNDS} chosen={ground} onChoose={onGround} />}
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
      {/* Each ground has a frame of its own: Chrome may miss that the ground changes while a frame loads. */}
      <iframe
        key={ground}
        className={`${width} ${ground}`}
        src={`${MOUNT}${path}${flags && `?${flags}`}`}
        title={title}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
      />
    </div>
  );
}

interface ChoiceProps<Name extends string> {
  label: string;
  options: Readonly<Record<Name, { title: string; icon: LucideIcon }>>;
  chosen: Name;
  onChoose: (name: Name) => void;
}

function Choice<Name extends string>({ label, options, chosen, onChoose }: ChoiceProps<Name>) {
  return (
    <div className="choice" role="radiogroup" aria-label={label}>
      {(Object.keys(options) as Name[]).map((name) => {
        const { title, icon: Icon } = options[name];
        return (
          <label key={name}>
            <input type="radio" name={`frame ${label}`} checked={name === chosen} onChange={() => onChoose(name)} />
            <Icon className="icon" size={14} aria-hidden="true" />
            {title}
          </label>
        );
      })}
    </div>
  );
}

/** The width in the address. */
export function widthOf(value: string | null): FrameWidth {
  return FRAME_WIDTHS.find((width) => width === value) ?? 'full';
}

/** The ground in the address. */
export function groundOf(value: string | null): FrameGround {
  return FRAME_GROUNDS.find((ground) => ground === value) ?? 'light';
}

function imagesLeftOut(count: number | undefined): string {
  if (count === undefined) return 'Remote images are blocked.';
  return count === 1 ? '1 remote image is blocked.' : `${count} remote images are blocked.`;
}
