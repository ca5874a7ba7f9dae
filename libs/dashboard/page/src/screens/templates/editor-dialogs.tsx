import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Template } from '../../api/types';
import { Confirm } from '../../parts/dialog';
import { Problem } from '../../parts/problem';
import { keepDraft, keepSamples } from './browser-store';
import type { TemplateEditing } from './use-template-editing';

interface EditorDialogProps {
  template: Template;
  editing: TemplateEditing;
  onClose: () => void;
}

/** Asks before what is written here becomes what is sent. */
export function PublishDialog({ template, editing, onClose }: EditorDialogProps) {
  return (
    <Confirm
      title="Publish the template?"
      action={editing.isChanged ? 'Save and publish' : 'Publish'}
      isBusy={editing.publishing.isPending}
      onConfirm={() => editing.publishing.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>
        Emails that are accepted from then on are made from this version
        {template.published_at === null ? '; until now none could be made from this template' : ''}. Those that were
        accepted before stay as they are, also when they are sent later.
      </p>
    </Confirm>
  );
}

/** Asks before a template goes. */
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
    <Confirm
      title={`Delete “${template.name}”?`}
      action="Delete the template"
      isDangerous
      isBusy={deleting.isPending}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      <p>
        Emails that name it are refused from then on. Those that were accepted before are sent as they are. It cannot be
        brought back.
      </p>
      {deleting.error && <Problem what="The template could not be deleted" error={deleting.error} />}
    </Confirm>
  );
}

/** Asks before what somebody else saved is replaced. */
export function OverwriteDialog({ editing, onClose }: Omit<EditorDialogProps, 'template'>) {
  return (
    <Confirm
      title="Save yours over theirs?"
      action="Save mine"
      isDangerous
      isBusy={editing.saving.isPending}
      onConfirm={() => editing.saving.mutate({ overwrites: true }, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>
        Somebody else saved this template after you began. All of it becomes what stands here, and what they wrote is
        gone. What is published stays as it is.
      </p>
    </Confirm>
  );
}

/** Asks before what was written here goes. */
export function ThrowAwayDialog({ editing, onClose }: Omit<EditorDialogProps, 'template'>) {
  return (
    <Confirm
      title="Throw your changes away?"
      action="Throw them away"
      isDangerous
      onConfirm={() => {
        editing.throwAway();
        onClose();
      }}
      onClose={onClose}
    >
      <p>What is not saved goes, and the template is shown as it was saved last.</p>
    </Confirm>
  );
}
