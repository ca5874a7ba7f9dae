import type { Suppression } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';
import { useRemoval } from '../../parts/use-removal';
import { nameOf } from './name-of';
import { TEXTS } from './texts';

const texts = TEXTS.removing;

/** Asks before an address gets mail again. */
export function RemoveSuppression({ suppression, onClose }: { suppression: Suppression; onClose: () => void }) {
  const remove = useRemoval({
    list: 'suppressions',
    id: suppression.id,
    done: texts.done(nameOf(suppression)),
    forget: (client) => client.invalidateQueries({ queryKey: ['suppression'], refetchType: 'none' }),
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
