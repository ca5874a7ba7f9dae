import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Confirm } from '../../parts/dialog';
import { Problem } from '../../parts/problem';
import { deleteAll } from './inbox-api';

interface DeleteAllProps {
  disabled: boolean;
  onDeleted: () => void;
}

/** Deletes all messages, and asks once. */
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
        <Confirm
          title="Delete all messages of the inbox?"
          action="Delete all"
          isDangerous
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>All messages go, also those that a search leaves out. The emails and what became of them stay.</p>
          {remove.error && <Problem what="The messages could not be deleted" error={remove.error} />}
        </Confirm>
      )}
    </>
  );
}
