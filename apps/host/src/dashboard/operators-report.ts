import { createHash, timingSafeEqual } from 'node:crypto';
import type { ModuleRef } from '@nestjs/core';
import { EmailsBacklog, EmailsNextHop, EmailsService, EventSubscriptions, type NextHopStatus } from 'nestjs-emails';
import { FailedKeysService } from 'nestjs-emails/access';
import { WebhooksBacklog } from 'nestjs-emails/webhooks';
import type { DashboardOperations, NextHopReport, OperationsReport, PausedReport } from 'nestjs-emails-dashboard';
import { isOfAllMail } from '../bootstrap/is-of-all-mail.js';
import { ReadinessService } from '../operations/health/readiness.service.js';

/** Pauses that are shown. */
const SHOWN_PAUSES = 100;

/**
 * Figures of the page for holders of `ADMIN_TOKEN`. An unreadable figure is left out: a missing figure is better than
 * an old one.
 */
export class OperatorsReport implements DashboardOperations {
  private readonly digest: Buffer;

  constructor(
    token: string,
    private readonly role: string,
    private readonly board: string,
    private readonly moduleRef: ModuleRef,
  ) {
    this.digest = digestOf(token);
  }

  /** Derived from the digest of the token's digest, which does not authenticate. */
  get tokenId(): string {
    return digestOf(this.digest).toString('base64url').slice(0, 16);
  }

  async isOperator(token: string, remoteAddress: string | undefined): Promise<boolean> {
    if (timingSafeEqual(digestOf(token), this.digest)) return true;
    await this.get(FailedKeysService).count(remoteAddress);
    return false;
  }

  async report(): Promise<OperationsReport> {
    const [{ status, checks }, hop, jobs, subscribers, webhooks, paused] = await Promise.all([
      this.get(ReadinessService).check(),
      orNull(this.get(EmailsNextHop).status()),
      orNull(this.get(EmailsBacklog).jobs()),
      orNull(this.get(EventSubscriptions).backlog()),
      orNull(this.get(WebhooksBacklog).waiting()),
      orNull(pausedReport(this.get(EmailsService))),
    ]);
    return {
      status,
      checks,
      emails: hop && { due: hop.due, oldest_due_seconds: hop.oldestDue / 1_000 },
      next_hop: hop && reportOf(hop),
      jobs,
      subscribers:
        subscribers?.map(({ subscriber, count, oldestAge }) => ({
          name: subscriber,
          waiting: count,
          oldest_seconds: oldestAge / 1_000,
        })) ?? null,
      webhooks: webhooks && { waiting: webhooks.count, oldest_seconds: webhooks.oldestAge / 1_000 },
      paused,
      process: {
        role: this.role,
        uptime_seconds: Math.round(process.uptime()),
        memory_bytes: process.memoryUsage.rss(),
      },
      board: this.board,
    };
  }

  private get<T>(token: abstract new (...args: never[]) => T): T {
    return this.moduleRef.get<T>(token as never, { strict: false });
  }
}

function reportOf({
  name,
  state,
  since,
  error,
  lastSuccess,
  waiting,
  oldestWaiting,
  recent,
  transports,
}: NextHopStatus): NextHopReport {
  return {
    name,
    state,
    since: since?.toISOString() ?? null,
    error,
    last_success: lastSuccess?.toISOString() ?? null,
    waiting,
    oldest_waiting_seconds: oldestWaiting / 1_000,
    accepted_per_minute: recent?.acceptedPerMinute ?? null,
    destinations: recent?.destinations ?? null,
    transports: transports.map((transport) => ({
      name: transport.name,
      state: transport.state,
      since: transport.since?.toISOString() ?? null,
      accepted_per_minute: transport.acceptedPerMinute,
      per_second: transport.perSecond,
      per_day: transport.perDay,
      used_today: transport.usedToday,
    })),
  };
}

async function pausedReport(emails: EmailsService): Promise<PausedReport> {
  const pauses = await emails.pauses();
  const ofAllMail = pauses.find(isOfAllMail);
  const mail = ofAllMail ? await emails.pausedMail() : null;
  const shown = [...(ofAllMail ? [ofAllMail] : []), ...pauses.filter((pause) => pause !== ofAllMail)];
  return {
    count: pauses.length,
    longest: shown.slice(0, SHOWN_PAUSES).map(({ account, topic, template, transport, since, reason }) => ({
      ...(account !== undefined && { account }),
      ...(topic !== undefined && { topic }),
      ...(template !== undefined && { template }),
      ...(transport !== undefined && { transport }),
      since: since.toISOString(),
      reason,
    })),
    mail: mail && {
      count: mail.count,
      accounts: mail.accounts.map(({ accountId, count }) => ({ account: accountId, count })),
    },
  };
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch {
    return null;
  }
}

function digestOf(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}
