import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { type Caller, callerOf } from '../callers/caller.js';
import { pathId, pathParameter } from '../http/path-parameter.js';
import { queryOf } from '../http/query.js';
import { type BodyRule, noteBodyRule } from '../http/reads-json.js';
import type { Dto } from '../validation/dto-fields.js';
import { DtoReader } from '../validation/dto-reader.js';
import type { CurrentRequest } from './current-request.js';

/*
 * Parameters of our controllers' methods. These decorators only record them; `ownAnswer`, which wraps each method for
 * Nest, resolves them. If Nest resolved them, a host's global pipes would run first, and its interceptors around the
 * reading.
 */

/** Order of resolution: a request is refused for the first problem in this order. */
const ORDER = ['caller', 'path', 'query', 'fields', 'key'] as const;
type Step = (typeof ORDER)[number];

/** Resolves the value of a parameter. @param type declared type of the parameter, as far as known at run time */
type Resolve = (current: CurrentRequest, type: unknown) => unknown;

interface Parameter {
  index: number;
  step: Step;
  resolve: Resolve;
}

const PARAMETERS = Symbol('nestjs-emails parameters');

/** A decorator of parameters. */
export function parameter(step: Step, resolve: Resolve): ParameterDecorator {
  return (target, name, index) => {
    const route = (target as Record<string | symbol, object>)[name ?? ''] as object;
    const known: Parameter[] = Reflect.getOwnMetadata(PARAMETERS, route) ?? [];
    Reflect.defineMetadata(PARAMETERS, [...known, { index, step, resolve }], route);
  };
}

/**
 * Resolves all arguments of a method; undefined for a method that takes request and response.
 *
 * @param types of its parameters
 */
export function argumentsOf(
  route: object,
  types: readonly unknown[],
): ((current: CurrentRequest) => unknown[]) | undefined {
  const parameters: Parameter[] | undefined = Reflect.getOwnMetadata(PARAMETERS, route);
  if (!parameters) return undefined;
  const inOrder = parameters.toSorted((one, other) => ORDER.indexOf(one.step) - ORDER.indexOf(other.step));
  return (current) => {
    const values: unknown[] = new Array(types.length);
    for (const { index, resolve } of inOrder) values[index] = resolve(current, types[index]);
    return values;
  };
}

/**
 * The positions of a method's parameters that get no value, because another package's decorator says what they are. A method
 * whose parameters are recorded nowhere gets request and response.
 *
 * @param ofNest what Nest's decorators recorded: keys of a kind and a position
 */
export function foreignParameters(route: object, ofNest: object): number[] {
  const ours: Parameter[] | undefined = Reflect.getOwnMetadata(PARAMETERS, route);
  const known = ours
    ? new Set(ours.map(({ index }) => index))
    : { has: (index: number) => `${[RouteParamtypes.REQUEST, RouteParamtypes.RESPONSE][index]}:${index}` in ofNest };
  const positions = Object.keys(ofNest).map((key) => Number(key.split(':').at(-1)));
  return positions.filter((index) => !known.has(index)).toSorted((one, other) => one - other);
}

/**
 * The request, for what nothing else here gives.
 *
 * @example
 * ```ts
 * @Controller('orders')
 * export class OrdersController {
 *   @Get()
 *   list(@RequestContext() { request, response }: RequestContext) {
 *     response.setHeader('x-seen', '1');
 *     return { agent: request.headers['user-agent'] };
 *   }
 * }
 * ```
 */
export const RequestContext = () => parameter('key', (current) => current);
/** Value of `@RequestContext()`. */
export type RequestContext = CurrentRequest;

/**
 * The fields of the JSON body, read by the class that the parameter is declared with, whose decorators say what they may be;
 * a body that is declared as an array or as `object` is what came. An absent one is `{}`. Read after all guards; limit: 1 MB.
 *
 * @example
 * ```ts
 * class CreateOrderDto {
 *   @Field()
 *   @IsString()
 *   name!: string;
 * }
 *
 * @Controller('orders')
 * export class OrdersController {
 *   @Post()
 *   create(@RequestBody() { name }: CreateOrderDto) {
 *     return { name };
 *   }
 * }
 * ```
 */
export function RequestBody(rule: BodyRule = {}): ParameterDecorator {
  const fields = parameter('fields', ({ body = {} }, type) =>
    type === Object || type === Array ? body : DtoReader.of(type as Dto).read(body),
  );
  return (target, name, index) => {
    noteBodyRule((target as Record<string | symbol, object>)[name ?? ''] as object, rule);
    fields(target, name, index);
  };
}

/**
 * A parameter of the path that is a UUID; a request with another is refused with 422. Default: `id`.
 *
 * @example
 * ```ts
 * @Controller('orders')
 * export class OrdersController {
 *   @Delete(':id')
 *   @HttpCode(204)
 *   async remove(@PathId() id: string): Promise<void> {}
 * }
 * ```
 */
export const PathId = (name = 'id') => parameter('path', ({ request }) => pathId(request, name));

/**
 * A parameter of the path, decoded.
 *
 * @example
 * ```ts
 * @Controller('orders')
 * export class OrdersController {
 *   @Get(':number')
 *   find(@PathText('number') number: string) {
 *     return { number };
 *   }
 * }
 * ```
 */
export const PathText = (name: string) => parameter('path', ({ request }) => pathParameter(request, name));

/**
 * The parameters of the URL that are fields of the class that the parameter is declared with: texts, which `readQuery`
 * checks.
 *
 * @example
 * ```ts
 * class ListOrdersQueryDto {
 *   @Field()
 *   @IsOptional()
 *   @IsString()
 *   state?: string;
 * }
 *
 * @Controller('orders')
 * export class OrdersController {
 *   @Get()
 *   list(@RequestQuery() query: ListOrdersQueryDto) {
 *     const { state } = readQuery(ListOrdersQueryDto, { ...query });
 *     return { state };
 *   }
 * }
 * ```
 */
export const RequestQuery = () => parameter('query', ({ url }, type) => queryOf(type as Dto, url));

/**
 * Caller of the request, once a guard has identified it. Also for a host's own controllers.
 *
 * @throws Error in a route without a guard that noted a caller
 *
 * @example
 * ```ts
 * @Controller('letters')
 * @UseGuards(ApiKeyGuard)
 * export class LettersController {
 *   @Get()
 *   list(@CurrentCaller() { accountId }: Caller) {
 *     return app.get(EmailsService).list(accountId, { limit: 10 });
 *   }
 * }
 * ```
 */
export const CurrentCaller = (): ParameterDecorator =>
  everywhere(
    parameter('caller', ({ caller }) => caller),
    ofNest((request) => knownCaller(request)),
  );

/**
 * The `Idempotency-Key` header, for `emails.send`, which checks it; undefined without it. Also for a host's own controllers.
 *
 * @example
 * ```ts
 * @Controller('letters')
 * export class LettersController {
 *   @Post()
 *   send(@IdempotencyKey() idempotencyKey: string | undefined) {
 *     return { idempotencyKey };
 *   }
 * }
 * ```
 */
export const IdempotencyKey = (): ParameterDecorator =>
  everywhere(
    parameter('key', ({ request }) => idempotencyKey(request)),
    ofNest((request) => idempotencyKey(request)),
  );

export function knownCaller(request: IncomingMessage): Caller {
  const caller = callerOf(request);
  if (!caller)
    throw new Error('No guard has noted a caller. Put `ApiKeyGuard`, or a guard of yours that notes one, on it.');
  return caller;
}

function idempotencyKey({ headers }: IncomingMessage): string | undefined {
  return headers['idempotency-key'] as string | undefined;
}

const ofNest = (of: (request: IncomingMessage) => unknown): ParameterDecorator =>
  createParamDecorator((_: unknown, context: ExecutionContext) => of(context.switchToHttp().getRequest()))();

const everywhere =
  (...decorators: readonly ParameterDecorator[]): ParameterDecorator =>
  (target, name, index) => {
    for (const decorate of decorators) decorate(target, name, index);
  };
