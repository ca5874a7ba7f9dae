import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { type Domain, refreshDomain } from '../../api/domains';
import { FormDialog } from '../../parts/form-dialog';
import { plainName } from '../../parts/plain-name';
import { useToast } from '../../parts/toast';
import { TEXTS } from './texts';

const texts = TEXTS.rotating;

/** Asks before new keys are made. */
export function RotateKeys({ domain: { id, name }, onClose }: { domain: Domain; onClose: () => void }) {
  const client = useQueryClient();
  const toast = useToast();
  const rotate = useMutation({
    mutationFn: () => api('POST', `domains/${id}/dkim/rotate`),
    onSuccess: async () => {
      await refreshDomain(client, id);
      toast(texts.done);
      onClose();
    },
  });
  return (
    <FormDialog
      title={texts.titleOf(plainName(name))}
      action={texts.action}
      task={rotate}
      failure={texts.failure}
      meaning={texts.meaning}
      onClose={onClose}
    >
      <p>{texts.text}</p>
    </FormDialog>
  );
}
