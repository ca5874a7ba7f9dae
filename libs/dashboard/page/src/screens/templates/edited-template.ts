import type { Template } from '../../api/types';
import { type EditedVariable, variablesToSave } from './edited-variables';
import { readTemplateText } from './template-text';

/** A template in its form fields. */
export interface EditedTemplate {
  name: string;
  alias: string;
  from: string;
  /** One mailbox in a line. */
  replyTo: string;
  subject: string;
  html: string;
  text: string;
  variables: readonly EditedVariable[];
  sensitive: boolean;
}

/** Body of `POST /templates` and `PATCH`. Null clears. */
export type TemplateChanges = Partial<{
  name: string;
  alias: string | null;
  from: string | null;
  reply_to: string[] | null;
  subject: string | null;
  html: string | null;
  text: string | null;
  variables: { key: string; type: 'string' | 'number'; fallback_value: string | number | null }[] | null;
  sensitive: boolean;
}>;

/** The stored template, for the editor. */
export function toEdited(template: Template): EditedTemplate {
  const { name, alias, from, reply_to: replyTo, subject, html, text, variables, sensitive } = template;
  return {
    name,
    alias: alias ?? '',
    from: from ?? '',
    replyTo: (Array.isArray(replyTo) ? replyTo : [replyTo ?? '']).join('\n'),
    subject: subject ?? '',
    html: html ?? '',
    text: text ?? '',
    variables: variables.map(({ key, type, fallback_value: fallback }) => ({
      key,
      type,
      fallback: fallback === null ? null : String(fallback),
    })),
    sensitive,
  };
}

/** The texts of a template that hold variables. */
export function keysOf({ subject, html, text }: EditedTemplate): ReadonlyMap<string, number> {
  const keys = new Map<string, number>();
  for (const source of [subject, html, text]) {
    for (const [key, line] of readTemplateText(source).keys) if (!keys.has(key)) keys.set(key, line);
  }
  return keys;
}

/** Change from `before` to `after`. It declares the found variables. */
export function changesOf(before: EditedTemplate, after: EditedTemplate): TemplateChanges {
  const changes: TemplateChanges = {};
  if (after.name !== before.name) changes.name = after.name;
  for (const name of ['alias', 'from', 'subject', 'html', 'text'] as const) {
    if (after[name] !== before[name]) changes[name] = after[name] === '' ? null : after[name];
  }
  if (after.sensitive !== before.sensitive) changes.sensitive = after.sensitive;
  const replyTo = linesOf(after.replyTo);
  if (!isSame(replyTo, linesOf(before.replyTo))) changes.reply_to = replyTo.length > 0 ? replyTo : null;
  const variables = variablesToSave(after.variables, keysOf(after).keys());
  if (!isSame(variables, variablesToSave(before.variables, []))) {
    changes.variables = variables.length > 0 ? variables : null;
  }
  return changes;
}

/** True while there is nothing to save. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
