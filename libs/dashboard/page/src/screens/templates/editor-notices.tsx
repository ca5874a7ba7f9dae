import type { Template } from '../../api/types';
import { Problem } from '../../parts/problem';
import { Time } from '../../parts/time';
import { TEXTS } from './texts';
import { OvertakenError, type TemplateEditing } from './use-template-editing';

const texts = TEXTS.standing;

interface StandingProps {
  editing: TemplateEditing;
  template: Template;
  onDiscard: () => void;
}

/** Says if the shown version is saved, published, or outdated. One line, always present. */
export function Standing({ editing, template, onDiscard }: StandingProps) {
  const { isChanged, isOvertaken, isKept, keptAt } = editing;
  return (
    <div className={isOvertaken || !isKept ? 'template-standing template-notice' : 'template-standing'}>
      {isChanged ? (
        <>
          <span>
            {isOvertaken && (
              <>
                {texts.othersSaved} <Time value={template.updated_at} />.{' '}
              </>
            )}
            {isKept ? (
              <>
                {texts.kept} <Time value={keptAt} />.
              </>
            ) : (
              texts.storageFull
            )}
          </span>
          <button type="button" className="quiet" onClick={onDiscard}>
            {isOvertaken ? texts.useTheirs : texts.discard}
          </button>
        </>
      ) : (
        <span className="soft">
          {texts.saved} <Time value={template.updated_at} />
          {template.published_at !== null && (
            <>
              , {texts.published} <Time value={template.published_at} />
            </>
          )}
        </span>
      )}
    </div>
  );
}

/** Refusals of the latest save and publication. */
export function Refusals({ editing: { saving, publishing, isOvertaken } }: { editing: TemplateEditing }) {
  const isOfOthers = (error: unknown) => error instanceof OvertakenError;
  return (
    <>
      {saving.error && !isOfOthers(saving.error) && (
        <Problem what={TEXTS.saveFailed} error={saving.error} meaning={TEXTS.saveFailedMeaning} />
      )}
      {publishing.error && !isOfOthers(publishing.error) && (
        <Problem what={TEXTS.publishFailed} error={publishing.error} meaning={TEXTS.publishFailedMeaning} />
      )}
      {(isOfOthers(saving.error) || isOfOthers(publishing.error)) && (
        <p className="template-notice said" role="alert">
          {isOvertaken ? TEXTS.overtakenBySave : TEXTS.overtakenByPublish}
        </p>
      )}
    </>
  );
}
