import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../parts/form-dialog';
import { deleteAll } from './inbox-api';

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
        Delete all
      </button>
      {isAsking && (
        <FormDialog
          title="Delete all messages of the inbox?"
          action="Delete all"
          isDangerous
          task={remove}
          failure="The messages could not be deleted"
          onClose={() => setAsking(false)}
        >
          <p>
            All messages are deleted, including those that do not match the search. The emails and their events stay.
          </p>
        </FormDialog>
      )}
    </>
  );
}
