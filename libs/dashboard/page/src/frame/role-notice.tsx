import type { PageRole } from 'nestjs-emails/facts';

const LIMITS: Readonly<Partial<Record<PageRole, string>>> = {
  viewer: 'You are signed in as a viewer: contents are not shown, and nothing can be changed.',
  support: 'You are signed in as support: you can cancel, retry, resend and share emails, and change nothing else.',
};

/** Says what the role of the visitor hides. */
export function RoleNotice({ role }: { role: PageRole | null }) {
  const limit = role !== null && LIMITS[role];
  return limit ? <p className="soft">{limit}</p> : null;
}
