import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { sessionQuery } from '../../api/session';
import type { ApiKey } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';
import { plainName } from '../../parts/plain-name';
import { TEXTS } from './texts';

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
      title={TEXTS.revoking.titleOf(plainName(apiKey.name))}
      action={TEXTS.revoking.action}
      isDangerous
      task={revoking}
      failure={TEXTS.revoking.failure}
      onClose={onClose}
    >
      <p>{TEXTS.revoking.text}</p>
      {isOwn && (
        <p>
          <strong>{TEXTS.revoking.own}</strong>
        </p>
      )}
    </FormDialog>
  );
}
