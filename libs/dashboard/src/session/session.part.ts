import { ApiError, type ApiRoutes, isBehindTls } from 'nestjs-emails';
import { answerJson } from '../http/answers.js';
import type { Part, Visit } from '../http/visit.js';
import { readJson } from '../http/visit-body.js';
import type { DashboardInbox } from '../inbox/dashboard-inbox.js';
import { FEATURES } from '../screens.js';
import type { DashboardStaging, DashboardStatus } from '../status/dashboard-status.js';
import type { PauseOf } from '../status/pauses-of.js';
import { accountMark } from './account-mark.js';
import { KeyVisitors } from './key-visitors.js';
import { requireOwnScript } from './own-request.js';
import { isFromThisMachine } from './this-machine.js';
import type { VisitorRecord, Visitors } from './visitors.js';

/** Limit of a key or a code. Bytes. */
const BODY_LIMIT = 4_096;

/** Facts of the host for the page. */
export interface Surroundings {
  version: string;
  publicUrl: string | undefined;
  inbox: DashboardInbox | undefined;
  environment: string | undefined;
  accountName: ((accountId: string) => Promise<string | undefined>) | undefined;
  hasOperations: boolean;
  /** True if there are unsubscribe links, with a page of choices. */
  hasChoices: boolean;
  status: DashboardStatus | undefined;
  staging: DashboardStaging | null;
  pauseOf: PauseOf | undefined;
}

/** `{path}/session`: the current visitor, sign-in and sign-out. */
export class SessionPart implements Part {
  constructor(
    private readonly visitors: Visitors,
    private readonly routes: ApiRoutes,
    private readonly surroundings: Surroundings,
  ) {}

  async handle(visit: Visit): Promise<boolean> {
    if (visit.path !== 'session') return false;
    const { request, response, method } = visit;
    requireOwnScript(request, this.surroundings.publicUrl);
    if (method === 'GET') {
      answerJson(response, await this.describe(visit, await this.visitors.describe(request, response)));
    } else if (method === 'POST') await this.begin(visit);
    else if (method === 'DELETE') await this.end(visit);
    else throw ApiError.methodNotAllowed(['GET', 'POST', 'DELETE']);
    return true;
  }

  private async begin(visit: Visit): Promise<void> {
    const { request, response } = visit;
    const proof = await readJson(request, BODY_LIMIT);
    const { visitor, pageToken } = await this.ofKeys().begin(proof, request, response);
    answerJson(response, { ...(await this.describe(visit, visitor)), page_token: pageToken });
  }

  private async end({ request, response }: Visit): Promise<void> {
    await this.ofKeys().end(request, response);
    answerJson(response, { signedIn: false });
  }

  private ofKeys(): KeyVisitors {
    if (this.visitors instanceof KeyVisitors) return this.visitors;
    throw ApiError.notFound('Signing in and out is done by this host in its own way.');
  }

  private async describe({ request }: Visit, { accountId, ...visitor }: VisitorRecord): Promise<object> {
    const { version, publicUrl, inbox, hasOperations, hasChoices, status, staging, pauseOf } = this.surroundings;
    const ofRoutes = Object.entries(FEATURES).map(([name, route]) => [
      name,
      route !== undefined && this.routes.has(route),
    ]);
    return {
      signIn: this.visitors.signIn,
      ...visitor,
      ...(await this.describeAccount(accountId)),
      features: {
        ...Object.fromEntries(ofRoutes),
        inbox: inbox !== undefined && (!inbox.onlyThisMachine || isFromThisMachine(request)),
        operations: hasOperations,
        choices: hasChoices,
        status: status !== undefined || staging !== null || pauseOf !== undefined,
      },
      degraded: visitor.role === null ? null : await orNull(status?.()),
      staging: visitor.role === null ? null : staging,
      paused: visitor.role === null || accountId === null ? null : await orNull(pauseOf?.(accountId)),
      version,
      apiUrl:
        (publicUrl ?? `${isBehindTls(request) ? 'https' : 'http'}://${request.headers.host}`) + this.routes.prefix,
    };
  }

  /** `account` distinguishes accounts and reveals nothing else of them. */
  private async describeAccount(accountId: string | null): Promise<object> {
    if (accountId === null) return { account: null, account_name: null, environment: null };
    const { accountName, environment = null } = this.surroundings;
    // The page opens without the name, too.
    const name = await accountName?.(accountId).catch(() => undefined);
    return { account: accountMark(accountId), account_name: name ?? null, environment };
  }
}

/** Banners come with the session, so that they are shown together with the first screen. The page opens without them, too. */
async function orNull<T>(asked: Promise<T | null> | undefined): Promise<T | null> {
  try {
    return (await asked) ?? null;
  } catch {
    return null;
  }
}
