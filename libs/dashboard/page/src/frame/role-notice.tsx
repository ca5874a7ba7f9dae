import { Lock } from 'lucide-react';
import type { PageRole } from 'nestjs-emails/facts';
import { ROLE_LIMITS } from './texts';

/** Says what the role of the visitor hides. */
export function RoleNotice({ role }: { role: PageRole | null }) {
  const limit = role === null ? undefined : ROLE_LIMITS[role];
  if (limit === undefined) return null;
  return (
    <p className="role-notice">
      <Lock className="icon" size={14} aria-hidden="true" /> <span>{limit}</span>
    </p>
  );
}
