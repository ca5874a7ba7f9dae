import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { sessionQuery } from '../../api/session';
import type { ApiKey } from '../../api/types';
import { Confirm } from '../../parts/dialog';
import { Problem } from '../../parts/problem';

interface RevokeKeyProps {
  apiKey: ApiKey;
  /** This page is signed in with it. */
  isOwn: boolean;
  onClose: () => void;
}

/** Asks before a key ends. */
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
    <Confirm
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke the key"
      isDangerous
      isBusy={revoking.isPending}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    >
      <p>
        What uses it is refused within a second, and it cannot be brought back. Emails that were accepted are sent all
        the same.
      </p>
      {isOwn && (
        <p>
          <strong>This page is signed in with this key, and will be signed out.</strong>
        </p>
      )}
      {revoking.error && <Problem what="The key could not be revoked" error={revoking.error} />}
    </Confirm>
  );
}
