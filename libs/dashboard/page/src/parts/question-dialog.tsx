import type { ReactNode } from 'react';
import { Dialog } from './dialog';
import { Field, type FieldIds } from './field';
import { FormDialog, type FormDialogProps } from './form-dialog';

interface QuestionDialogProps extends Omit<FormDialogProps, 'children'> {
  /** Explains the action. */
  lead?: string;
  /** The question. */
  label: string;
  hint?: string;
  /** The control for the answer. */
  children: (ids: FieldIds) => ReactNode;
}

/** Asks one question before an action. */
export function QuestionDialog({ lead, label, hint, children, ...form }: QuestionDialogProps) {
  return (
    <FormDialog {...form}>
      {lead !== undefined && <p>{lead}</p>}
      <Field label={label} hint={hint}>
        {children}
      </Field>
    </FormDialog>
  );
}

interface ResultDialogProps {
  title: string;
  /** Label of the button that closes it. */
  done: string;
  children?: ReactNode;
  onClose: () => void;
}

/** The result of an action that a dialog asked for, in its place. */
export function ResultDialog({ title, done, children, onClose }: ResultDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="bar">
        <button type="button" className="primary" onClick={onClose}>
          {done}
        </button>
      </div>
    </Dialog>
  );
}
