import { Check } from '../../parts/check';
import { Field } from '../../parts/field';
import type { EditedTemplate } from './edited-template';
import { TEXTS } from './texts';

interface DetailsFieldsProps {
  fields: EditedTemplate;
  onChange: (part: Partial<EditedTemplate>) => void;
}

const ALIAS = /^[A-Za-z0-9_-]{1,255}$/;

/** Fields of a template other than its content. */
export function DetailsFields({ fields, onChange }: DetailsFieldsProps) {
  const { name, alias, from, replyTo, sensitive } = fields;
  const aliasError = alias === '' || ALIAS.test(alias) ? undefined : TEXTS.aliasWrong;
  return (
    <div className="template-details-fields">
      <Field label={TEXTS.name} error={name.trim() === '' ? TEXTS.nameMissing : undefined}>
        {(ids) => (
          <input {...ids} value={name} maxLength={255} onChange={({ target }) => onChange({ name: target.value })} />
        )}
      </Field>
      <Field label={TEXTS.alias} error={aliasError} hint={TEXTS.aliasHint}>
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
      <Field label={TEXTS.from} hint={TEXTS.fromHint}>
        {(ids) => (
          <input
            {...ids}
            value={from}
            placeholder={TEXTS.fromExample}
            onChange={({ target }) => onChange({ from: target.value })}
          />
        )}
      </Field>
      <Field label={TEXTS.replyTo} hint={TEXTS.replyToHint}>
        {(ids) => (
          <textarea {...ids} rows={2} value={replyTo} onChange={({ target }) => onChange({ replyTo: target.value })} />
        )}
      </Field>
      <Check
        label={TEXTS.sensitive}
        hint={TEXTS.sensitiveHint}
        isChecked={sensitive}
        onChange={(isSensitive) => onChange({ sensitive: isSensitive })}
      />
    </div>
  );
}
