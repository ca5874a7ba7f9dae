import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { changePages } from '../../api/change-pages';
import { api } from '../../api/client';
import type { Suppression } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';
import { useToast } from '../../parts/toast';
import { nameOf } from './name-of';
import { TEXTS } from './texts';

const texts = TEXTS.removing;

/** Asks before an address gets mail again. */
export function RemoveSuppression({ suppression, onClose }: { suppression: Suppression; onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => api('DELETE', `suppressions/${suppression.id}`),
    onSuccess: () => {
      changePages<Suppression>(client, 'suppressions', { goneId: suppression.id });
      void client.invalidateQueries({ queryKey: ['suppression'], refetchType: 'none' });
      toast(texts.done(nameOf(suppression)));
      navigate('/suppressions');
    },
  });
  return (
    <FormDialog
      title={texts.titleOf(nameOf(suppression))}
      action={texts.action}
      isDangerous
      task={remove}
      failure={texts.failure}
      meaning={texts.meaning}
      onClose={onClose}
    >
      <p>{texts[suppression.origin]}</p>
      <p>{texts.past}</p>
    </FormDialog>
  );
}
