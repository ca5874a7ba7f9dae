import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Template } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';
import { plainName } from '../../parts/plain-name';
import { useToast } from '../../parts/toast';
import { keepDraft, keepSamples } from './browser-store';
import { TEXTS } from './texts';
import type { TemplateEditing } from './use-template-editing';

interface EditorDialogProps {
  template: Template;
  editing: TemplateEditing;
  onClose: () => void;
}

/** Asks before the draft is published. */
export function PublishDialog({ template, editing, onClose }: EditorDialogProps) {
  const { title, action, saveAction, effect, first, others } = TEXTS.publishing;
  return (
    <FormDialog
      title={title}
      action={editing.isChanged ? saveAction : action}
      task={{
        isPending: editing.publishing.isPending,
        mutate: () => editing.publishing.mutate(undefined, { onSettled: onClose }),
      }}
      onClose={onClose}
    >
      <p>
        {effect} {template.published_at === null ? first : others}
      </p>
    </FormDialog>
  );
}

/** Asks before a template is deleted. */
export function DeleteDialog({ template, editing, onClose }: EditorDialogProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const { titleOf, action, failure, effect } = TEXTS.deleting;
  const deleting = useMutation({
    mutationFn: () => api('DELETE', `templates/${template.id}`),
    onSuccess: async () => {
      editing.throwAway();
      keepDraft(template.id, undefined);
      keepSamples(template.id, undefined);
      toast(TEXTS.deleted(plainName(template.name)));
      navigate('/templates', { replace: true });
      client.removeQueries({ queryKey: ['template', template.id] });
      await client.invalidateQueries({ queryKey: ['list', 'templates'] });
    },
  });
  return (
    <FormDialog
      title={titleOf(plainName(template.name))}
      action={action}
      isDangerous
      task={deleting}
      failure={failure}
      onClose={onClose}
    >
      <p>{effect}</p>
    </FormDialog>
  );
}

/** Asks before another user's version is replaced. */
export function OverwriteDialog({ editing, onClose }: Omit<EditorDialogProps, 'template'>) {
  const { title, action, effect } = TEXTS.overwriting;
  return (
    <FormDialog
      title={title}
      action={action}
      isDangerous
      task={{
        isPending: editing.saving.isPending,
        mutate: () => editing.saving.mutate({ overwrites: true }, { onSettled: onClose }),
      }}
      onClose={onClose}
    >
      <p>{effect}</p>
    </FormDialog>
  );
}

/** Asks before the changes are discarded. */
export function DiscardDialog({ editing, onClose }: Omit<EditorDialogProps, 'template'>) {
  const { title, action, effect } = TEXTS.discarding;
  return (
    <FormDialog
      title={title}
      action={action}
      isDangerous
      task={{
        mutate: () => {
          editing.throwAway();
          onClose();
        },
      }}
      onClose={onClose}
    >
      <p>{effect}</p>
    </FormDialog>
  );
}
