import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Template } from '../../api/types';
import { FormDialog } from '../../parts/form-dialog';
import { keepDraft, keepSamples } from './browser-store';
import type { TemplateEditing } from './use-template-editing';

interface EditorDialogProps {
  template: Template;
  editing: TemplateEditing;
  onClose: () => void;
}

/** Asks before the draft is published. */
export function PublishDialog({ template, editing, onClose }: EditorDialogProps) {
  return (
    <FormDialog
      title="Publish the template?"
      action={editing.isChanged ? 'Save and publish' : 'Publish'}
      task={{
        isPending: editing.publishing.isPending,
        mutate: () => editing.publishing.mutate(undefined, { onSettled: onClose }),
      }}
      onClose={onClose}
    >
      <p>
        Emails that are accepted from then on are made from this version
        {template.published_at === null ? '; until now this template could not be used' : ''}. Emails accepted before do
        not change, even if they are sent later.
      </p>
    </FormDialog>
  );
}

/** Asks before a template is deleted. */
export function DeleteDialog({ template, editing, onClose }: EditorDialogProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const deleting = useMutation({
    mutationFn: () => api('DELETE', `templates/${template.id}`),
    onSuccess: async () => {
      editing.throwAway();
      keepDraft(template.id, undefined);
      keepSamples(template.id, undefined);
      navigate('/templates', { replace: true });
      client.removeQueries({ queryKey: ['template', template.id] });
      await client.invalidateQueries({ queryKey: ['list', 'templates'] });
    },
  });
  return (
    <FormDialog
      title={`Delete “${template.name}”?`}
      action="Delete the template"
      isDangerous
      task={deleting}
      failure="The template could not be deleted"
      onClose={onClose}
    >
      <p>
        Emails that use it are refused from then on. Emails accepted before are sent unchanged. It cannot be restored.
      </p>
    </FormDialog>
  );
}

/** Asks before another user's version is replaced. */
export function OverwriteDialog({ editing, onClose }: Omit<EditorDialogProps, 'template'>) {
  return (
    <FormDialog
      title="Replace their version?"
      action="Save mine"
      isDangerous
      task={{
        isPending: editing.saving.isPending,
        mutate: () => editing.saving.mutate({ overwrites: true }, { onSettled: onClose }),
      }}
      onClose={onClose}
    >
      <p>
        Another user saved this template after you began. Your version replaces theirs, which is lost. The published
        version stays as it is.
      </p>
    </FormDialog>
  );
}

/** Asks before the changes are discarded. */
export function DiscardDialog({ editing, onClose }: Omit<EditorDialogProps, 'template'>) {
  return (
    <FormDialog
      title="Discard your changes?"
      action="Discard changes"
      isDangerous
      task={{
        mutate: () => {
          editing.throwAway();
          onClose();
        },
      }}
      onClose={onClose}
    >
      <p>Unsaved changes are lost, and the last saved version is shown.</p>
    </FormDialog>
  );
}
