import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpStatus, RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { callerOf } from '../callers/caller.js';
import { answerInPieces, begin } from '../http/answer.js';
import { claim } from '../http/claimed-request.js';
import type { JsonBodyReader } from '../http/json-body.reader.js';
import { otherAnswers, roomOf } from '../http/large-answers.js';
import { bodyRuleOf } from '../http/reads-json.js';
import { refuse } from '../http/refuse.js';
import { sendPieces } from '../http/send-pieces.js';
import { jsonPieces, listPieces, textLength, type WithTexts } from '../json/json-pieces.js';
import { LIMITS } from '../limits.js';
import { textSlices } from '../text/text-slices.js';
import { CurrentRequest } from './current-request.js';
import { argumentsOf } from './parameters.js';

/**
 * Limit of an answer that is written at once and without a reservation; the number of connections bounds the total.
 * Characters.
 */
const SMALL = LIMITS.smallBody.max;

/** A method of a controller of the library. It returns the body of the answer, if it has one. */
export type Route = (this: object, ...parameters: never[]) => unknown;

/** The handler that Nest calls in its place. */
export type OwnRoute = (this: object, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A controller with larger bodies than others reads them itself. */
interface WithBodies {
  bodies?: JsonBodyReader;
}

/**
 * A route that writes its own answer, success or refusal, and returns nothing to Nest: the answer follows the contract,
 * regardless of the results and errors of the host's interceptors. It runs once, even if it is called several times.
 *
 * @param types of the parameters of the method
 */
export function ownAnswer(route: Route, types: readonly unknown[], bodies: JsonBodyReader): OwnRoute {
  const status = statusOf(route);
  const rule = bodyRuleOf(route);
  const resolve = argumentsOf(route, types) ?? (({ request, response }: CurrentRequest) => [request, response]);
  return async function (this: WithBodies, request, response) {
    if (!claim(request)) return;
    const current = new CurrentRequest(request, response);
    try {
      if (rule) Object.assign(current, await (this.bodies ?? bodies).read(request, rule));
      const result = await route.apply(this, resolve(current) as never[]);
      current.memory?.close();
      const wait = write(request, response, status, result);
      if (wait) await wait;
    } catch (error) {
      current.memory?.close();
      refuse(error, request, response);
    }
  };
}

/** Undefined when the answer is written at once; a large one waits for memory, and holds it until it is read. */
function write(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: unknown,
): Promise<void> | undefined {
  if (response.headersSent) return undefined;
  if (body === undefined || body === null) {
    response.writeHead(status).end();
    return undefined;
  }
  const length = textLength(body);
  if (length > SMALL) return writeInPieces(request, response, status, body as object, length);
  const text = JSON.stringify(body);
  if (text.length > SMALL) return writeText(request, response, status, text);
  response.end(begin(response, status, text));
  return undefined;
}

async function writeText(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
): Promise<void> {
  await makeRoom(text.length, request, response);
  await sendPieces(response, textSlices(begin(response, status, text)));
}

async function writeInPieces(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: object,
  length: number,
): Promise<void> {
  await makeRoom(length, request, response);
  await answerInPieces(response, status, piecesOf(body));
}

/** A list is written one object after the other. */
function piecesOf(body: WithTexts & { data?: unknown }): Iterable<string> {
  const { data } = body;
  return Array.isArray(data) ? listPieces(data, (list) => ({ ...body, data: list })) : jsonPieces(body);
}

/** Undefined when the answer has all or nearly all of its memory. */
function makeRoom(bytes: number, request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
  const missing = bytes - roomOf(response);
  if (missing <= SMALL) return undefined;
  return otherAnswers.makeRoom(missing, callerOf(request)?.accountId ?? '', response);
}

/** Nest's default. */
function statusOf(route: Route): number {
  const status: number | undefined = Reflect.getMetadata(HTTP_CODE_METADATA, route);
  if (status !== undefined) return status;
  return Reflect.getMetadata(METHOD_METADATA, route) === RequestMethod.POST ? HttpStatus.CREATED : HttpStatus.OK;
}
