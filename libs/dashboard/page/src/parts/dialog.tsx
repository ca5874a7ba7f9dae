import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  title: string;
  children: ReactNode;
  onClose: () => void;
}

/** A dialog of the browser's own: it keeps the focus, and Escape closes it. Mounted is open. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed before it is taken out: only then does the browser give the focus back to where it was.
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={onClose}>
      <div className="stack">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  /** What will be done, as a question. */
  title: string;
  /** What that means. */
  children: ReactNode;
  /** The word on the button: "Cancel the email". */
  action: string;
  isDangerous?: boolean;
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks once. */
export function Confirm({ title, children, action, isDangerous, isBusy, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <div className="bar">
        <button type="button" className={isDangerous ? 'danger' : 'primary'} disabled={isBusy} onClick={onConfirm}>
          {action}
        </button>
        <button type="button" onClick={onClose}>
          Leave it
        </button>
      </div>
    </Dialog>
  );
}
