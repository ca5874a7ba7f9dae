import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpStatus, RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { answer } from '../http/answer.js';
import type { JsonBodyReader } from '../http/json-body.reader.js';
import { bodyRuleOf } from '../http/reads-json.js';
import { refuse } from '../http/refuse.js';
import { take } from '../http/taken.js';

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
        answer(response, status, await route.call(this, request, response));
      } catch (error) {
        refuse(error, request, response);
      }
    };
  }
  return async function (request: IncomingMessage & { body?: object }, response) {
    if (!take(request)) return;
    try {
      const { body, memory } = await bodies.read(request, rule);
      try {
        request.body = body;
        answer(response, status, await route.call(this, request, response));
      } finally {
        memory?.close();
      }
    } catch (error) {
      refuse(error, request, response);
    }
  };
}

/** As Nest has it. */
function statusOf(route: Route): number {
  const said: number | undefined = Reflect.getMetadata(HTTP_CODE_METADATA, route);
  if (said !== undefined) return said;
  return Reflect.getMetadata(METHOD_METADATA, route) === RequestMethod.POST ? HttpStatus.CREATED : HttpStatus.OK;
}
