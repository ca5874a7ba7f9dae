import { Dialog } from '../parts/dialog';
import { TEXTS } from './texts';

const texts = TEXTS.keys;

interface ShortcutsHelpProps {
  /** Keys of the screen that is shown, and what they do. */
  more: readonly (readonly [string, string])[];
  onClose: () => void;
}

/** All keys of the page, and of the screen that is shown. */
export function ShortcutsHelp({ more, onClose }: ShortcutsHelpProps) {
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <dl>
        {[...texts.all, ...more].map(([key, what]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div>
        <button type="button" onClick={onClose}>
          {texts.close}
        </button>
      </div>
    </Dialog>
  );
}
