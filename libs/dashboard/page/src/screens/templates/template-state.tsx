import type { Template } from '../../api/types';
import { StateMark } from '../../parts/state-mark';

/** Draft or published, and whether the draft differs from the published version. */
export function TemplateState({ template }: { template: Pick<Template, 'status' | 'has_unpublished_versions'> }) {
  const hasChanges = template.status === 'published' && template.has_unpublished_versions;
  return (
    <span className="template-state">
      <StateMark state={template.status} />
      {hasChanges && (
        <span className="state-mark amber">
          <span className="sign" aria-hidden="true">
            ◔
          </span>
          unpublished changes
        </span>
      )}
    </span>
  );
}
