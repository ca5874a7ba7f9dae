import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Queue } from 'bullmq';
import type { RequestHandler } from 'express';
import { ApiError } from 'nestjs-emails';
import type { AdminAccess } from '../admin/admin-access.js';
import { BOARD_PATH } from './board-path.js';

/** The board loads from this server alone. Its web font is blocked, which changes only the typeface. */
const BOARD_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

/**
 * bull-board for operators, read-only. Any page can make a browser send a Basic password, and PostgreSQL decides what
 * is pending anyway.
 */
export function queueBoard(queues: readonly Queue[], access: AdminAccess): RequestHandler[] {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(BOARD_PATH);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'nestjs-emails' } },
  });
  return [lookingOnly(access), serverAdapter.getRouter() as RequestHandler];
}

function lookingOnly(access: AdminAccess): RequestHandler {
  return async (request, response, next) => {
    try {
      await access.require(request);
      if (request.method !== 'GET') throw ApiError.methodNotAllowed(['GET']);
    } catch (error) {
      if (!(error instanceof ApiError)) return next(error);
      response.status(error.statusCode).set(error.headers).json(error.toBody());
      return;
    }
    response.setHeader('content-security-policy', BOARD_POLICY);
    next();
  };
}
