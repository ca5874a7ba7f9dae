import { FilePen } from 'lucide-react';
import type { Template } from '../../api/types';
import { Badge, StateBadge } from '../../parts/badge';
import { TEXTS } from './texts';

/** Draft or published, and whether the draft differs from the published version. */
export function TemplateState({ template }: { template: Pick<Template, 'status' | 'has_unpublished_versions'> }) {
  const hasChanges = template.status === 'published' && template.has_unpublished_versions;
  return (
    <span className="template-state">
      <StateBadge state={template.status} />
      {hasChanges && <Badge icon={FilePen} word={TEXTS.unpublished} tone="warning" />}
    </span>
  );
}
