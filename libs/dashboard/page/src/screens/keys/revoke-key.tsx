import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { sessionQuery } from '../../api/session';
import type { ApiKey } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';

interface RevokeKeyProps {
  apiKey: ApiKey;
  /** This page is signed in with it. */
  isOwn: boolean;
  onClose: () => void;
}

/** Asks before a key is revoked. */
export function RevokeKey({ apiKey, isOwn, onClose }: RevokeKeyProps) {
  const client = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => api('DELETE', `api-keys/${apiKey.id}`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: isOwn ? sessionQuery.queryKey : ['list', 'api-keys'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke the key"
      isDangerous
      task={revoking}
      failure="The key could not be revoked"
      onClose={onClose}
    >
      <p>
        Programs that use it are refused within a second, and it cannot be restored. Accepted emails are still sent.
      </p>
      {isOwn && (
        <p>
          <strong>This page is signed in with this key, and will be signed out.</strong>
        </p>
      )}
    </FormDialog>
  );
}
