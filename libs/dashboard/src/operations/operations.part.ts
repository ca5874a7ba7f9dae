import { ApiError, type EmailsService, type NewPause, type PauseTarget } from 'nestjs-emails';
import { answerJson } from '../http/answers.js';
import type { Part, Visit } from '../http/visit.js';
import { readJson } from '../http/visit-body.js';
import type { OperatorSessions } from '../session/operator-sessions.js';
import type { Visitors } from '../session/visitors.js';
import type { DashboardOperations } from './dashboard-operations.js';

const BODY_LIMIT = 4_096;

/** Begins and ends pauses. */
export type Pausing = Pick<EmailsService, 'pause' | 'resume'>;

/** `{path}/operations`: for signed-in visitors with the operators' token. Pauses also need the role `admin`. */
export class OperationsPart implements Part {
  constructor(
    private readonly operations: DashboardOperations,
    private readonly sessions: OperatorSessions,
    private readonly visitors: Visitors,
    private readonly emails: Pausing | undefined,
  ) {}

  async handle(visit: Visit): Promise<boolean> {
    const [room, session, rest] = visit.path.split('/');
    if (room !== 'operations' || rest !== undefined) return false;
    const { request, response, method } = visit;
    const isChange = session === 'pause' || session === 'resume';
    await this.visitors.admit(request, response, isChange ? 'admin' : 'viewer');
    if (session === 'session') await this.begin(visit);
    else if (isChange) await this.change(visit, session);
    else if (session !== undefined) throw ApiError.notFound();
    else if (method !== 'GET') throw ApiError.methodNotAllowed(['GET']);
    else if (!(await this.sessions.isOpen(request, this.operations.tokenId))) throw refuse();
    else answerJson(response, await this.operations.report());
    return true;
  }

  private async change({ request, response, method }: Visit, change: 'pause' | 'resume'): Promise<void> {
    if (method !== 'POST') throw ApiError.methodNotAllowed(['POST']);
    if (!(await this.sessions.isOpen(request, this.operations.tokenId))) throw refuse();
    if (!this.emails) throw ApiError.notFound();
    const body: unknown = await readJson(request, BODY_LIMIT);
    await refusing(change === 'pause' ? this.emails.pause(body as NewPause) : this.emails.resume(body as PauseTarget));
    answerJson(response, { object: 'operations_pause' });
  }

  private async begin({ request, response, method }: Visit): Promise<void> {
    if (method !== 'POST') throw ApiError.methodNotAllowed(['POST']);
    const { token } = await readJson(request, BODY_LIMIT);
    if (typeof token !== 'string' || token === '') throw ApiError.missingField('token');
    if (!(await this.operations.isOperator(token, request.socket.remoteAddress))) {
      throw new ApiError(403, 'invalid_access', 'This is not the value of ADMIN_TOKEN.');
    }
    this.sessions.begin(request, response, this.operations.tokenId);
    answerJson(response, { object: 'operations_session' });
  }
}

/** A wrong target is the caller's mistake. */
async function refusing(change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    const isMistake = error instanceof Error && !(error instanceof ApiError);
    throw isMistake ? ApiError.invalid(error.message) : error;
  }
}

/** 403, so that the visitor stays signed in. */
function refuse(): ApiError {
  return new ApiError(403, 'invalid_access', 'This needs the value of ADMIN_TOKEN.');
}
