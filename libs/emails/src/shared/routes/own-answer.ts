import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpStatus, RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { callerOf } from '../callers/caller.js';
import { answerInPieces, begin } from '../http/answer.js';
import type { JsonBodyReader } from '../http/json-body.reader.js';
import { otherAnswers, roomOf } from '../http/large-answers.js';
import { bodyRuleOf } from '../http/reads-json.js';
import { refuse } from '../http/refuse.js';
import { take } from '../http/taken.js';
import { jsonPieces, listPieces, textLength, type WithTexts } from '../json/json-pieces.js';

/** Characters of an answer that are written at once and in memory without asking: it is bounded by the number of connections. */
const SMALL = 64_000;

/** A method of a controller of the library. What it returns is the body of the answer. */
export type Route = (this: object, request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * A route that writes its own answer, be it a success or a refusal, and gives Nest nothing: whatever interceptors of the
 * host do with what they see, or throw, the answer is the one of the contract. It runs once, however often it is called.
 */
export function ownAnswer(route: Route, bodies: JsonBodyReader): Route {
  const status = statusOf(route);
  const rule = bodyRuleOf(route);
  if (!rule) {
    return async function (request, response) {
      if (!take(request)) return;
      try {
        const wait = write(request, response, status, await route.call(this, request, response));
        if (wait) await wait;
      } catch (error) {
        refuse(error, request, response);
      }
    };
  }
  return async function (request: IncomingMessage & { body?: object }, response) {
    if (!take(request)) return;
    try {
      const { body, memory } = await bodies.read(request, rule);
      let result: unknown;
      try {
        request.body = body;
        result = await route.call(this, request, response);
      } finally {
        memory?.close();
      }
      const wait = write(request, response, status, result);
      if (wait) await wait;
    } catch (error) {
      refuse(error, request, response);
    }
  };
}

/** Undefined when the answer is written at once; a large one waits until there is room for it, and has it until it is read. */
function write(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: unknown,
): Promise<void> | undefined {
  if (response.headersSent) return undefined;
  const length = textLength(body);
  if (length > SMALL) return writeInPieces(request, response, status, body as object, length);
  const text = JSON.stringify(body);
  const room = makeRoom(text.length, request, response);
  if (!room) {
    response.end(begin(response, status, text));
    return undefined;
  }
  return room.then(() => {
    response.end(begin(response, status, text));
  });
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

/** Undefined when the answer has room, or all but little of it. */
function makeRoom(bytes: number, request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
  const missing = bytes - roomOf(response);
  if (missing <= SMALL) return undefined;
  return otherAnswers.makeRoom(missing, callerOf(request)?.accountId ?? '', response);
}

/** As Nest has it. */
function statusOf(route: Route): number {
  const said: number | undefined = Reflect.getMetadata(HTTP_CODE_METADATA, route);
  if (said !== undefined) return said;
  return Reflect.getMetadata(METHOD_METADATA, route) === RequestMethod.POST ? HttpStatus.CREATED : HttpStatus.OK;
}
