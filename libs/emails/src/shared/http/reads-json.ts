import type { IncomingMessage } from 'node:http';
import { SetMetadata } from '@nestjs/common';

const READS_JSON = Symbol('nestjs-emails reads JSON');

/** How the body of a route is read. */
export interface BodyRule {
  /** A body that is not there needs no content type either. Default: false. */
  isOptional?: boolean;
  /** It may be an array as well as an object. Default: false. */
  mayBeArray?: boolean;
  /** It may be an array of emails, see `JsonReader`. Default: false. */
  isBatch?: boolean;
}

/**
 * A request whose body was read.
 *
 * @typeParam Body what it is if it keeps the rules, which are still to be checked
 */
export interface RequestWithBody<Body extends object = object> extends IncomingMessage {
  body: Body;
}

/**
 * The JSON body of a route of the library is read before its method is called, after all guards, and is `request.body`; an
 * absent one is `{}`. Limit: 1 MB.
 */
export const ReadsJson = (rule: BodyRule = {}) => SetMetadata(READS_JSON, rule);

/** The rule of a method; undefined where no body is read. */
export function bodyRuleOf(method: object): BodyRule | undefined {
  return Reflect.getMetadata(READS_JSON, method);
}
