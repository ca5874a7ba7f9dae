/** Roles of people, and what each may do. Each may also do what those before it may. */
export const PAGE_ROLES = {
  viewer:
    'sees emails, their timelines, metrics, topics, contacts, suppressions and the names of templates; no contents, no actions',
  support: 'sees contents, sources, attachments and templates; cancels, retries, resends and shares emails',
  admin: 'everything',
} as const;

/**
 * Role of a person: a `viewer` sees no contents and changes nothing, `support` sees contents and may cancel, retry and
 * resend, an `admin` may do everything.
 */
export type PageRole = keyof typeof PAGE_ROLES;

const IN_ORDER = Object.keys(PAGE_ROLES);

/** Whether a role is the needed one or a higher one. */
export function allows(role: PageRole, needed: PageRole): boolean {
  return IN_ORDER.indexOf(role) >= IN_ORDER.indexOf(needed);
}
