import type { Template } from '../../api/types';
import { StateMark } from '../../parts/state-mark';

/** Draft or published, and whether the draft says something else than what is sent. */
export function TemplateState({ template }: { template: Pick<Template, 'status' | 'has_unpublished_versions'> }) {
  const isAhead = template.status === 'published' && template.has_unpublished_versions;
  return (
    <span className="template-state">
      <StateMark state={template.status} />
      {isAhead && (
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
