import type { FormEvent, ReactNode } from 'react';
import { Dialog } from './dialog';
import { Problem } from './problem';

export interface FormDialogProps {
  title: string;
  /** Label of the button that submits. */
  action: string;
  isDangerous?: boolean;
  /** Runs when the form is submitted: a mutation, or a part of one. */
  task: { mutate: () => void; isPending?: boolean; error?: unknown };
  /** Start of the sentence for a failure: "The key could not be revoked". */
  failure?: string;
  /** Meaning of a failure for the emails. */
  meaning?: string;
  /** True while required input is missing that the browser does not check. */
  isIncomplete?: boolean;
  /** Label of the button that closes the dialog. */
  closeLabel?: string;
  /** Shown after the buttons. */
  note?: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/** A form or a question in a dialog. A failure is shown above the buttons, and the dialog stays. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, isDangerous, task, failure = 'The action failed', meaning, isIncomplete, children } = props;
  const { closeLabel = 'Cancel', note, onClose } = props;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    task.mutate();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={onSubmit}>
        {children}
        {task.error != null && <Problem what={failure} error={task.error} meaning={meaning} />}
        <div className="bar">
          <button
            type="submit"
            className={isDangerous ? 'danger' : 'primary'}
            disabled={task.isPending || isIncomplete}
          >
            {action}
          </button>
          <button type="button" onClick={onClose}>
            {closeLabel}
          </button>
          {note}
        </div>
      </form>
    </Dialog>
  );
}
