import { Field } from '../../parts/field';
import type { EditedTemplate } from './edited-template';

interface DetailsFieldsProps {
  fields: EditedTemplate;
  onChange: (part: Partial<EditedTemplate>) => void;
}

const ALIAS = /^[A-Za-z0-9_-]{1,255}$/;

/** Fields of a template other than its content. */
export function DetailsFields({ fields, onChange }: DetailsFieldsProps) {
  const { name, alias, from, replyTo, sensitive } = fields;
  const aliasError =
    alias === '' || ALIAS.test(alias) ? undefined : 'Use letters, digits, hyphens and underscores only.';
  return (
    <div className="template-details-fields">
      <Field label="Name" error={name.trim() === '' ? 'A template needs a name.' : undefined}>
        {(ids) => (
          <input {...ids} value={name} maxLength={255} onChange={({ target }) => onChange({ name: target.value })} />
        )}
      </Field>
      <Field label="Alias" error={aliasError} hint="Emails may use it in place of the id, once it is saved.">
        {(ids) => (
          <input
            {...ids}
            className="mono"
            value={alias}
            spellCheck={false}
            onChange={({ target }) => onChange({ alias: target.value })}
          />
        )}
      </Field>
      <Field label="From" hint="Used for emails without a sender.">
        {(ids) => (
          <input
            {...ids}
            value={from}
            placeholder="Name <name@example.com>"
            onChange={({ target }) => onChange({ from: target.value })}
          />
        )}
      </Field>
      <Field label="Reply to" hint="One mailbox per line.">
        {(ids) => (
          <textarea {...ids} rows={2} value={replyTo} onChange={({ target }) => onChange({ replyTo: target.value })} />
        )}
      </Field>
      <label className="bar">
        <input type="checkbox" checked={sensitive} onChange={({ target }) => onChange({ sensitive: target.checked })} />
        Sensitive: content of its emails is not shown, and deleted once they are finished
      </label>
    </div>
  );
}
