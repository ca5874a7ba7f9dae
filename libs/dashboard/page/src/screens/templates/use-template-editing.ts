import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client';
import { segment } from '../../api/segment';
import type { Template } from '../../api/types';
import { keepDraft, type LocalDraft, readDraft } from './browser-store';
import { changesOf, type EditedTemplate, isSame, toEdited } from './edited-template';

/** Interval of polls for changes of other users. Milliseconds. */
const LOOK_EVERY = 5_000;

/** A change of another user is in conflict with it. */
export class OvertakenError extends Error {}

/** A template, its draft, and whether the two are still compatible. */
export function useTemplateEditing(id: string) {
  const client = useQueryClient();
  const queryKey = ['template', id];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api<Template>('GET', `templates/${segment(id)}`, { signal }),
    refetchInterval: LOOK_EVERY,
  });
  const [draft, setDraft] = useState(() => readDraft(id));
  const [isKept, setKept] = useState(true);
  const latest = useRef(draft);
  latest.current = draft;

  const template = query.data;
  const saved = template && toEdited(template);
  const fields = draft?.fields ?? saved;
  const isChanged = draft !== undefined && !isSame(draft.fields, saved);
  const isOvertaken = isChanged && template !== undefined && draft.base !== template.updated_at;

  const keep = (next: LocalDraft | undefined) => {
    setDraft(next);
    setKept(keepDraft(id, next));
  };
  const change = (part: Partial<EditedTemplate>) => {
    if (!template || !fields) return;
    const next = { ...fields, ...part };
    const base = isChanged ? draft.base : template.updated_at;
    keep(isSame(next, saved) ? undefined : { base, fields: next, keptAt: new Date().toISOString() });
  };

  /** Based on the current template, not on the shown one. */
  const store = async (overwrites: boolean): Promise<Template> => {
    const begun = latest.current;
    const now = await api<Template>('GET', `templates/${segment(id)}`);
    const base = begun?.base ?? template?.updated_at;
    if (base !== now.updated_at && !overwrites) {
      client.setQueryData(queryKey, now);
      throw new OvertakenError();
    }
    if (!begun) return now;
    const body = changesOf(toEdited(now), begun.fields);
    const stored = isSame(body, {}) ? now : await api<Template>('PATCH', `templates/${now.id}`, { body });
    client.setQueryData(queryKey, stored);
    const { current } = latest;
    const isAllStored = current === undefined || isSame(current.fields, begun.fields);
    keep(isAllStored ? undefined : { ...current, base: stored.updated_at });
    return stored;
  };
  const saving = useMutation({ mutationFn: ({ overwrites }: { overwrites: boolean }) => store(overwrites) });
  const publishing = useMutation({
    mutationFn: async () => {
      const { id: stored } = await store(false);
      client.setQueryData(queryKey, await api<Template>('POST', `templates/${stored}/publish`));
    },
  });

  useEffect(() => {
    if (!isChanged || isKept) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged, isKept]);

  return {
    query,
    template,
    fields,
    change,
    isChanged,
    /** Another user changed the template after the editing started. */
    isOvertaken,
    /** False when the browser's storage is full: then leaving loses the draft. */
    isKept,
    keptAt: draft?.keptAt ?? null,
    throwAway: () => keep(undefined),
    saving,
    publishing,
  };
}

export type TemplateEditing = ReturnType<typeof useTemplateEditing>;
