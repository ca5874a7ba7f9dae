import { Braces, CircleSlash, Plus } from 'lucide-react';
import { Badge } from '../../parts/badge';
import { Card } from '../../parts/card';
import { Changeable } from '../../parts/only-for';
import { type EditedVariable, type ShownVariable, wrongValue } from './edited-variables';
import { TEXTS } from './texts';

const texts = TEXTS.variables;

interface VariablesTableProps {
  variables: readonly ShownVariable[];
  samples: Readonly<Record<string, string>>;
  onChange: (variable: EditedVariable) => void;
  onRemove: (key: string) => void;
  onSample: (key: string, value: string) => void;
}

/** The variables of a template: their definitions, and their values in the preview. */
export function VariablesTable({ variables, samples, onChange, onRemove, onSample }: VariablesTableProps) {
  return (
    <Card title={texts.title}>
      {variables.length === 0 ? (
        <p className="soft">
          <Braces className="icon" size={14} aria-hidden="true" /> {texts.none}
        </p>
      ) : (
        <>
          <ul className="template-variables">
            {variables.map((variable) => (
              <li key={variable.key}>
                <Variable
                  variable={variable}
                  sample={samples[variable.key] ?? ''}
                  onChange={onChange}
                  onRemove={onRemove}
                  onSample={onSample}
                />
              </li>
            ))}
          </ul>
          <p className="soft">{texts.lead}</p>
        </>
      )}
    </Card>
  );
}

interface VariableProps extends Omit<VariablesTableProps, 'variables' | 'samples'> {
  variable: ShownVariable;
  sample: string;
}

function Variable({ variable, sample, onChange, onRemove, onSample }: VariableProps) {
  const { key, type, fallback, isUsed, isNew } = variable;
  const fallbackError = fallback === null ? undefined : wrongValue(type, fallback);
  const sampleError = sample === '' ? undefined : wrongValue(type, sample);
  return (
    <fieldset className="template-variable">
      <legend>
        <span className="mono">{key}</span> {isNew && <Badge icon={Plus} word={texts.new} tone="info" />}
        {!isUsed && <Badge icon={CircleSlash} word={texts.notUsed} tone="neutral" />}
      </legend>
      <Changeable>
        <label>
          <span>{texts.type}</span>
          <select
            aria-label={texts.typeOf(key)}
            value={type}
            onChange={({ target }) => onChange({ ...variable, type: target.value as EditedVariable['type'] })}
          >
            {Object.entries(texts.types).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <div>
          <label>
            <input
              type="checkbox"
              aria-label={texts.hasFallback(key)}
              checked={fallback !== null}
              onChange={({ target }) => onChange({ ...variable, fallback: target.checked ? '' : null })}
            />{' '}
            <span>{texts.fallback}</span>
          </label>
          <input
            aria-label={texts.fallbackOf(key)}
            aria-invalid={fallbackError !== undefined}
            value={fallback ?? ''}
            disabled={fallback === null}
            onChange={({ target }) => onChange({ ...variable, fallback: target.value })}
          />
          {fallbackError !== undefined && <span className="error">{fallbackError}</span>}
        </div>
      </Changeable>
      <label>
        <span>{texts.sample}</span>
        <input
          aria-label={texts.sampleOf(key)}
          aria-invalid={sampleError !== undefined}
          value={sample}
          onChange={({ target }) => onSample(key, target.value)}
        />
        {sampleError !== undefined && <span className="error">{sampleError}</span>}
      </label>
      {!isUsed && (
        <Changeable>
          <button type="button" onClick={() => onRemove(key)} aria-label={texts.removeOf(key)}>
            {texts.remove}
          </button>
        </Changeable>
      )}
    </fieldset>
  );
}
