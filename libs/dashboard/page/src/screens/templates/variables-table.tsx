import { type EditedVariable, type ShownVariable, wrongValue } from './edited-variables';

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
    <section className="template-variables" aria-label="Variables">
      <h2>Variables</h2>
      {variables.length === 0 ? (
        <p className="soft">
          None yet. Write <code>{'{{NAME}}'}</code> for a value, <code>{'{{{NAME}}}'}</code> for html that is inserted
          unchanged.
        </p>
      ) : (
        <>
          <ul>
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
          <p className="soft">
            Sample values are stored in this browser only. Without a fallback every email must have a value.
          </p>
        </>
      )}
    </section>
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
      <legend className="mono">
        {key}
        {isNew && <span className="tag">new</span>}
        {!isUsed && <span className="tag">not used</span>}
      </legend>
      <label>
        <span>Type</span>
        <select
          value={type}
          onChange={({ target }) => onChange({ ...variable, type: target.value as 'string' | 'number' })}
        >
          <option value="string">string</option>
          <option value="number">number</option>
        </select>
      </label>
      <div className="fallback">
        <label className="check">
          <input
            type="checkbox"
            checked={fallback !== null}
            onChange={({ target }) => onChange({ ...variable, fallback: target.checked ? '' : null })}
          />
          Fallback
        </label>
        <input
          aria-label={`Fallback of ${key}`}
          aria-invalid={fallbackError !== undefined}
          value={fallback ?? ''}
          disabled={fallback === null}
          onChange={({ target }) => onChange({ ...variable, fallback: target.value })}
        />
        {fallbackError !== undefined && <span className="error">{fallbackError}</span>}
      </div>
      <label>
        <span>Sample</span>
        <input
          aria-label={`Sample of ${key}`}
          aria-invalid={sampleError !== undefined}
          value={sample}
          onChange={({ target }) => onSample(key, target.value)}
        />
        {sampleError !== undefined && <span className="error">{sampleError}</span>}
      </label>
      {!isUsed && (
        <button type="button" onClick={() => onRemove(key)} aria-label={`Remove ${key}`}>
          Remove
        </button>
      )}
    </fieldset>
  );
}
