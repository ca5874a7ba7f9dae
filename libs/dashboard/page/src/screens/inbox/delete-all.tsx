import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../parts/form-dialog';
import { deleteAll } from './inbox-api';
import { TEXTS } from './texts';

interface DeleteAllProps {
  disabled: boolean;
  onDeleted: () => void;
}

/** Deletes all messages after a confirmation. */
export function DeleteAll({ disabled, onDeleted }: DeleteAllProps) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteAll(client),
    onSuccess: () => {
      setAsking(false);
      onDeleted();
    },
  });
  return (
    <>
      <button
        type="button"
        className="end"
        disabled={disabled}
        onClick={() => {
          remove.reset();
          setAsking(true);
        }}
      >
        {TEXTS.deleteAll}
      </button>
      {isAsking && (
        <FormDialog
          title={TEXTS.deleteAllTitle}
          action={TEXTS.deleteAll}
          isDangerous
          task={remove}
          failure={TEXTS.deleteAllFailed}
          onClose={() => setAsking(false)}
        >
          <p>{TEXTS.deleteAllMeaning}</p>
        </FormDialog>
      )}
    </>
  );
}
