import { Dialog } from '../parts/dialog';

const KEYS = [
  ['/', 'Search or filter'],
  ['j', 'The next one'],
  ['k', 'The one before'],
  ['Enter', 'Open'],
  ['Esc', 'Back'],
  ['?', 'These keys'],
] as const;

/** All keys of the page. */
export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl>
        {KEYS.map(([key, what]) => (
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
