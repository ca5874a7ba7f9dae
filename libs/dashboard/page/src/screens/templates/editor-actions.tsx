import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy, Save, Send, Trash2, Upload } from 'lucide-react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import type { Template } from '../../api/types';
import { OnlyFor } from '../../parts/only-for';
import { plainName } from '../../parts/plain-name';
import { Problem } from '../../parts/problem';
import { useToast } from '../../parts/toast';
import { TEXTS } from './texts';
import type { TemplateEditing } from './use-template-editing';

/** A dialog of the editor. */
export type Asking = 'publish' | 'delete' | 'overwrite' | 'discard' | 'test';

interface EditorActionsProps {
  editing: TemplateEditing;
  template: Template;
  /** False while a text or a value has a problem. */
  mayBeSaved: boolean;
  onSave: () => void;
  onAsk: (asking: Asking) => void;
}

/** Actions of an admin on a template. */
export function EditorActions({ editing, template, mayBeSaved, onSave, onAsk }: EditorActionsProps) {
  const { isChanged, isOvertaken, saving } = editing;
  return (
    <OnlyFor needs="admin">
      <div className="bar end">
        <button
          type="button"
          className="primary"
          disabled={!isChanged || !mayBeSaved || saving.isPending}
          onClick={onSave}
        >
          <Save className="icon" size={16} aria-hidden="true" /> {TEXTS.save}
        </button>
        <button
          type="button"
          disabled={!mayBeSaved || isOvertaken || (!isChanged && !template.has_unpublished_versions)}
          onClick={() => onAsk('publish')}
        >
          <Upload className="icon" size={16} aria-hidden="true" /> {TEXTS.publish}
        </button>
        <button type="button" disabled={!mayBeSaved} onClick={() => onAsk('test')}>
          <Send className="icon" size={16} aria-hidden="true" /> {TEXTS.sendTest}
        </button>
        <Duplicate template={template} />
        <button type="button" className="danger" onClick={() => onAsk('delete')}>
          <Trash2 className="icon" size={16} aria-hidden="true" /> {TEXTS.delete}
        </button>
      </div>
    </OnlyFor>
  );
}

function Duplicate({ template }: { template: Template }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const duplicating = useMutation({
    mutationFn: () => api<Template>('POST', `templates/${template.id}/duplicate`),
    onSuccess: async ({ id, name }) => {
      toast(TEXTS.duplicated(plainName(name)));
      await client.invalidateQueries({ queryKey: ['list', 'templates'] });
      navigate(`/templates/${id}`);
    },
  });
  return (
    <>
      <button type="button" disabled={duplicating.isPending} onClick={() => duplicating.mutate()}>
        <Copy className="icon" size={16} aria-hidden="true" /> {TEXTS.duplicate}
      </button>
      {duplicating.error && <Problem what={TEXTS.duplicateFailed} error={duplicating.error} />}
    </>
  );
}
