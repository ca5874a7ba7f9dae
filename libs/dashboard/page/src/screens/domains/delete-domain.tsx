import { useState } from 'react';
import type { Domain } from '../../api/domains';
import { plainName } from '../../parts/plain-name';
import { QuestionDialog } from '../../parts/question-dialog';
import { useRemoval } from '../../parts/use-removal';
import { TEXTS } from './texts';

const texts = TEXTS.deleting;

/** Asks for the name, so that no domain is deleted by one wrong click. */
export function DeleteDomain({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const name = plainName(domain.name);
  const remove = useRemoval({ list: 'domains', id: domain.id, done: texts.done(name) });
  return (
    <QuestionDialog
      title={texts.titleOf(name)}
      action={texts.action}
      isDangerous
      isIncomplete={typed.trim().toLowerCase() !== domain.name}
      task={remove}
      failure={texts.failure}
      meaning={texts.meaning}
      lead={texts.text}
      label={texts.label(name)}
      onClose={onClose}
    >
      {(ids) => (
        <input
          {...ids}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </QuestionDialog>
  );
}
