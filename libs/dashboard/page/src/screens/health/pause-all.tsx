import { useState } from 'react';
import { QuestionDialog } from '../../parts/question-dialog';
import { TEXTS } from './texts';
import { usePauseChange } from './use-pause-change';

const texts = TEXTS.paused.pause;

/** Asks for the reason before all mail is paused. */
export function PauseAll({ onClose }: { onClose: () => void }) {
  const [reason, setReason] = useState('');
  const pause = usePauseChange({ change: 'pause', done: texts.done, onDone: onClose });
  return (
    <QuestionDialog
      title={texts.title}
      action={texts.action}
      isDangerous
      isIncomplete={reason.trim() === ''}
      task={{ ...pause, mutate: () => pause.mutate({ reason: reason.trim() }) }}
      failure={texts.failure}
      meaning={texts.meaning}
      lead={texts.lead}
      label={texts.label}
      hint={texts.hint}
      onClose={onClose}
    >
      {(ids) => (
        <input
          {...ids}
          autoComplete="off"
          required
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      )}
    </QuestionDialog>
  );
}
