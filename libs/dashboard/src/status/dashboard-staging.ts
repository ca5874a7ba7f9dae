import type { StagingSwitch } from 'nestjs-emails';

/** The staging switch of the host, for everybody who sees the page. */
export interface DashboardStaging {
  /** The only addresses and domains that get mail; null: everybody. */
  only_to: readonly string[] | null;
  /** The mailbox that gets all messages in place of their recipients; null: none. */
  redirect_all_to: string | null;
}

/** Null while the switch is off, and where the host has none. */
export function stagingOf(found: Pick<StagingSwitch, 'onlyTo' | 'redirectAllTo'> | undefined): DashboardStaging | null {
  const only_to = found?.onlyTo ?? null;
  const redirect_all_to = found?.redirectAllTo ?? null;
  return only_to || redirect_all_to ? { only_to, redirect_all_to } : null;
}
