import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  title: string;
  children: ReactNode;
  onClose: () => void;
}

/** A native dialog: it traps the focus, and Escape closes it. It is open while mounted. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed before it is removed: only then does the browser restore the focus.
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
