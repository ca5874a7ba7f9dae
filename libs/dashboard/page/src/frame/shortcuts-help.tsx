import { Dialog } from '../parts/dialog';

const KEYS = [
  ['/', 'Search or filter'],
  ['j', 'Next'],
  ['k', 'Previous'],
  ['Enter', 'Open'],
  ['Esc', 'Back'],
  ['Ctrl K', 'Go to a screen, an email or a person'],
  ['?', 'Keyboard shortcuts'],
] as const;

interface ShortcutsHelpProps {
  /** Keys of the screen that is shown, and what they do. */
  more: readonly (readonly [string, string])[];
  onClose: () => void;
}

/** All keys of the page, and of the screen that is shown. */
export function ShortcutsHelp({ more, onClose }: ShortcutsHelpProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl>
        {[...KEYS, ...more].map(([key, what]) => (
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
          Close
        </button>
      </div>
    </Dialog>
  );
}
