import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client';
import { useFocusOnProblem } from '../../hooks/use-focus-on-problem';
import { Check } from '../../parts/check';
import { Field } from '../../parts/field';
import { fieldProblem } from '../../parts/field-problem';
import { FormDialog } from '../../parts/form-dialog';
import { plainName } from '../../parts/plain-name';
import { useToast } from '../../parts/toast';
import { TEXTS } from './texts';

const texts = TEXTS.adding;
const FIELDS = ['name', 'custom_return_path'];
const RETURN_PATH = 'send';

/** Adds a domain, and opens its records. */
export function AddDomain({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const toast = useToast();
  const [name, setName] = useState('');
  const [returnPath, setReturnPath] = useState(RETURN_PATH);
  const [hasEd25519, setEd25519] = useState(false);
  const add = useMutation({
    mutationFn: () => {
      const body = {
        name: name.trim(),
        ...(returnPath.trim() !== RETURN_PATH && { custom_return_path: returnPath.trim() }),
        ...(hasEd25519 && { dkim: ['rsa', 'ed25519'] }),
      };
      return api<{ id: string; name: string }>('POST', 'domains', { body });
    },
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: ['list', 'domains'] });
      toast(texts.done(plainName(made.name)));
      onClose();
      navigate(`/domains/${made.id}`);
    },
  });
  const problem = fieldProblem(add.error, FIELDS);
  const wrongWith = (field: string) => (problem?.field === field ? problem.message : undefined);
  const fields = useFocusOnProblem<HTMLDivElement>(add.error);
  return (
    <FormDialog
      title={texts.title}
      action={texts.action}
      task={{ ...add, error: problem ? undefined : add.error }}
      failure={texts.failure}
      onClose={onClose}
    >
      <div ref={fields} className="stack">
        <Field label={texts.name} hint={texts.nameHint} error={wrongWith('name')}>
          {(ids) => (
            <input
              {...ids}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <details open={wrongWith('custom_return_path') !== undefined || undefined}>
          <summary>{texts.more}</summary>
          <div className="stack domain-options">
            <Field label={texts.returnPath} hint={texts.returnPathHint} error={wrongWith('custom_return_path')}>
              {(ids) => (
                <input
                  {...ids}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  required
                  value={returnPath}
                  onChange={({ target }) => setReturnPath(target.value)}
                />
              )}
            </Field>
            <Check label={texts.ed25519} hint={texts.ed25519Hint} isChecked={hasEd25519} onChange={setEd25519} />
          </div>
        </details>
      </div>
    </FormDialog>
  );
}
