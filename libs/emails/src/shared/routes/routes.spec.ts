import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import {
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  ClassSerializerInterceptor,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpCode,
  HttpException,
  Injectable,
  Logger,
  Module,
  type NestInterceptor,
  NotFoundException,
  Patch,
  Post,
  Put,
  type RawBodyRequest,
  Req,
  RequestTimeoutException,
  Scope,
  UnauthorizedException,
  VersioningType,
} from '@nestjs/common';
import { HttpAdapterHost, NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { json } from 'express';
import { map, repeat, tap, throwError } from 'rxjs';
import { ApiError } from '../errors/api-error.js';
import { ReadsJson, type RequestWithBody } from '../http/reads-json.js';
import { carriesOwnProof } from './guarded.js';
import { keepBodyParsers } from './keep-body-parsers.js';
import { listeningAddress } from './listening-address.js';
import { accountResolverOf, mounted } from './mounted.js';

const OPTIONS = Symbol('options');
const accountResolver = { resolve: () => ({ accountId: 'acme', permission: 'full_access' as const }) };

let calls = 0;
let goOn = () => {};

@Controller('things')
class ThingsController {
  @Post()
  @ReadsJson()
  create(request: RequestWithBody): object {
    calls++;
    return { made: request.body };
  }

  @Post(':id/publish')
  @HttpCode(200)
  @ReadsJson({ isOptional: true })
  publish(_request: IncomingMessage, response: ServerResponse): object {
    response.setHeader('x-replayed', 'true');
    return { published: true };
  }

  @Get('slow')
  slow(): Promise<object> {
    return new Promise((resolve) => {
      goOn = () => resolve({ late: true });
    });
  }

  @Get(':id')
  find(): object {
    throw ApiError.notFound('There is no thing with this id.');
  }

  @Patch(':id')
  change(): object {
    return { changed: true };
  }

  /** After the paths that it could be taken for. */
  @Post('batch')
  many(): object {
    return { many: true };
  }
}

@Controller('doors')
class DoorsController {
  @Get(':key')
  open(): object {
    return { open: true };
  }
}

let refusal: (response: ServerResponse) => unknown;

/** In a scope of its own, as one that injects the request would be. */
@Injectable({ scope: Scope.REQUEST })
class SomeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    if (http.getRequest<IncomingMessage>().headers.authorization) return true;
    const thrown = refusal(http.getResponse());
    if (thrown === undefined) return false;
    throw thrown;
  }
}

/** What a host has on the same paths, and elsewhere. */
@Controller()
class OwnController {
  @Put('things')
  replace(@Req() { body }: RequestWithBody): object {
    return { own: true, body };
  }

  @Post('hook')
  hook(@Req() request: RawBodyRequest<RequestWithBody>): object {
    const signature = createHmac('sha256', 'secret').update(request.rawBody ?? '');
    return { signature: signature.digest('hex'), body: request.body };
  }
}

@Catch()
class OwnFilter implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ServerResponse>();
    response.statusCode = 418;
    response.end('"own"');
  }
}

/** An interceptor that does this with what comes. */
const doing = (intercept: NestInterceptor['intercept']): NestInterceptor => ({ intercept });

type Setup = (app: NestExpressApplication) => void;

let app: NestExpressApplication;

/** Starts a host that has these routes; it is closed after the test. */
async function start(prepare: Setup = () => {}, options: object = { bodyParser: false }) {
  const http = mounted({
    module: 'ThingsModule',
    controllers: [ThingsController],
    forStrangers: [DoorsController],
    guards: [SomeGuard],
    providers: [{ provide: OPTIONS, useValue: { accountResolver } }, accountResolverOf(OPTIONS)],
    role: 'all',
    routes: true,
  });

  @Module(http)
  class ThingsModule {}

  @Module({ imports: [ThingsModule], controllers: [OwnController] })
  class HostModule {}

  app = await NestFactory.create<NestExpressApplication>(HostModule, {
    logger: false,
    abortOnError: false,
    ...options,
  });
  app.useGlobalFilters(new OwnFilter());
  prepare(app);
  const server = await app.listen(0, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  return async (method: string, path: string, { body, ...headers }: Record<string, string> = {}) => {
    const sent = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...sent,
      headers: { authorization: 'Bearer x', ...sent.headers, ...headers },
    });
    return { status: answer.status, body: await answer.json().catch(() => undefined), headers: answer.headers };
  };
}

beforeEach(() => {
  calls = 0;
  refusal = () => undefined;
});

afterEach(() => app?.close());

const MADE = { status: 201, body: { made: { a: 1 } } };
const UNKNOWN = {
  status: 404,
  body: { statusCode: 404, name: 'not_found', message: 'There is no thing with this id.' },
};

describe('a route, whatever interceptor the host has', () => {
  it.each<[string, NestInterceptor]>([
    ['wraps what comes', doing((_, next) => next.handle().pipe(map((data) => ({ data }))))],
    ['serializes', new ClassSerializerInterceptor(new Reflector())],
    ['asks for it again', doing((_, next) => next.handle().pipe(repeat(3)))],
    ['sets a status before', doing((context, next) => setStatus(context, next.handle()))],
    ['sets a status after', doing((context, next) => next.handle().pipe(tap(() => setStatus(context, undefined))))],
    ['sets a header after', doing((context, next) => next.handle().pipe(tap(() => header(context))))],
    ['fails after', doing((_, next) => next.handle().pipe(tap(() => JSON.parse('{'))))],
  ])('answers as ever to one that %s', async (_, interceptor) => {
    const call = await start((host) => host.useGlobalInterceptors(interceptor));
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    expect(await call('POST', '/things', { body: '{"a": 1}' })).toMatchObject(MADE);
    expect(calls).toBe(1);
    expect(await call('GET', '/things/1')).toMatchObject(UNKNOWN);
    const published = await call('POST', '/things/1/publish');
    expect(published).toMatchObject({ status: 200, body: { published: true } });
    expect(published.headers.get('x-replayed')).toBe('true');
    expect(published.headers.get('content-type')).toBe('application/json; charset=utf-8');
    log.mockRestore();
  });

  it('answers in its time to one that does not wait', async () => {
    const impatient = doing((_, next) => {
      next.handle().subscribe();
      return throwError(() => new RequestTimeoutException());
    });
    const call = await start((host) => host.useGlobalInterceptors(impatient));
    const answer = call('GET', '/things/slow');
    // Another request is refused in the meantime.
    expect(await call('GET', '/things/1')).toMatchObject(UNKNOWN);
    goOn();
    expect(await answer).toMatchObject({ status: 200, body: { late: true } });
  });

  it('is left unasked by one that refuses', async () => {
    const closed = doing((_context: ExecutionContext, _next: CallHandler) => {
      throw new HttpException('Closed.', 503);
    });
    const call = await start((host) => host.useGlobalInterceptors(closed));
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    expect(await call('POST', '/things', { body: '{}' })).toMatchObject({
      status: 503,
      body: { name: 'application_error' },
    });
    expect(calls).toBe(0);
    log.mockRestore();
  });
});

function setStatus<T>(context: ExecutionContext, then: T): T {
  context.switchToHttp().getResponse<ServerResponse>().statusCode = 299;
  return then;
}
const header = (context: ExecutionContext) =>
  context.switchToHttp().getResponse<ServerResponse>().setHeader('x-a', 'b');

describe('a version and a prefix of the host', () => {
  const { URI, HEADER, MEDIA_TYPE, CUSTOM } = VersioningType;
  const inHeader = { type: HEADER, header: 'x-version' } as const;
  const inType = { type: MEDIA_TYPE, key: 'v=' } as const;
  const custom = { type: CUSTOM, extractor: () => '3' } as const;

  it.each<[string, Parameters<NestExpressApplication['enableVersioning']>[0]]>([
    ['/api/things', { type: URI }],
    ['/api/v7/things', { type: URI, defaultVersion: '7' }],
    ...[inHeader, inType, custom].flatMap((options): [string, typeof options & { defaultVersion?: string }][] => [
      ['/api/things', options],
      ['/api/things', { ...options, defaultVersion: '7' }],
    ]),
  ])('leave the routes at %s with %j', async (path, versioning) => {
    const call = await start((host) => host.setGlobalPrefix('api').enableVersioning(versioning));
    expect(await call('POST', path, { body: '{"a": 1}' })).toMatchObject(MADE);
    expect(await call('PATCH', path)).toMatchObject({ status: 405 });
    // By Express or by the host's filter, as Nest has it.
    expect([404, 418]).toContain((await call('POST', '/things')).status);
  });
});

describe('a route for strangers', () => {
  it('is asked for nothing but its own proof', async () => {
    const call = await start();
    refusal = () => ApiError.missingApiKey();
    const nobody = { authorization: '' };
    expect(await call('GET', '/doors/1', nobody)).toMatchObject({ status: 200, body: { open: true } });
    expect((await call('HEAD', '/doors/1', nobody)).status).toBe(200);
    const other = await call('POST', '/doors/1', { ...nobody, body: '{}' });
    expect(other).toMatchObject({ status: 405, body: { statusCode: 405, name: 'method_not_allowed' } });
    expect(other.headers.get('allow')).toBe('GET');
  });

  it('is found wherever the host has put it, as long as it listens', async () => {
    await start((host) =>
      host.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, defaultVersion: '7' }),
    );
    const adapterHost = app.get(HttpAdapterHost);
    const { port } = app.getHttpServer().address() as AddressInfo;
    expect(listeningAddress(adapterHost, '/doors/:key')).toBe(`http://127.0.0.1:${port}/api/v7`);
    expect(listeningAddress(adapterHost, '/elsewhere')).toBeUndefined();
    await app.close();
    expect(listeningAddress(adapterHost, '/doors/:key')).toBeUndefined();
  });

  it('is told apart by a guard of the whole application', async () => {
    const guard = { canActivate: (context: ExecutionContext) => carriesOwnProof(context) };
    const call = await start((host) => host.useGlobalGuards(guard));
    expect((await call('GET', '/doors/1')).status).toBe(200);
    expect((await call('GET', '/things/1')).status).toBe(403);
  });
});

describe('other methods', () => {
  it('are refused with those that there are', async () => {
    const call = await start();
    for (const [path, allow, methods] of [
      ['/things', 'POST', ['GET', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']],
      ['/things/1', 'GET, PATCH', ['POST', 'PUT', 'OPTIONS']],
      // Not those of the parameter that they could be taken for.
      ['/things/slow', 'GET', ['POST', 'PATCH', 'DELETE']],
      ['/THINGS/batch/', 'POST', ['GET', 'PATCH', 'DELETE']],
      ['/things/1/publish', 'POST', ['GET', 'PUT']],
    ] as const) {
      for (const method of methods) {
        const answer = await call(method, path);
        expect(answer).toMatchObject({ status: 405, body: { statusCode: 405, name: 'method_not_allowed' } });
        expect(answer.headers.get('allow')).toBe(allow);
      }
    }
    expect(await call('HEAD', '/things')).toMatchObject({ status: 405 });
  });

  it('are refused when the caller is known, and no sooner', async () => {
    const call = await start();
    refusal = () => ApiError.missingApiKey();
    expect(await call('PATCH', '/things', { authorization: '' })).toMatchObject({ status: 401 });
  });

  it('of the host are answered by it', async () => {
    const call = await start();
    expect(await call('PUT', '/things')).toMatchObject({ status: 200, body: { own: true } });
  });
});

it('has a path that cannot be decoded refused in the shape of the contract', async () => {
  const call = await start();
  expect(await call('GET', '/things/%FF')).toMatchObject({
    status: 400,
    body: { statusCode: 400, name: 'validation_error', message: 'The request is malformed.' },
  });
  expect(await call('GET', '/elsewhere/%FF')).toMatchObject({ status: 418 });
});

describe("a guard's own refusal", () => {
  const shape = (statusCode: number, name: string) => ({ statusCode, name, message: 'Pay first.' });

  it.each<[string, () => unknown, number, string, RegExp]>([
    ['false', () => undefined, 403, 'invalid_access', /^Forbidden resource$/],
    ['Forbidden', () => new ForbiddenException('No plan.'), 403, 'invalid_access', /^No plan\.$/],
    ['Unauthorized', () => new UnauthorizedException('No user.'), 401, 'invalid_api_key', /^No user\.$/],
    ['a text alone', () => new HttpException({ message: 'Pay.' }, 402), 402, 'validation_error', /^Pay\.$/],
    ['several texts', () => new ForbiddenException(['secret']), 403, 'invalid_access', /Access/],
    ['no route of Nest', () => new NotFoundException('Cannot GET /secret'), 404, 'not_found', /nothing at this path/],
    ['402 in the shape', () => new HttpException(shape(402, 'no_plan'), 402), 402, 'validation_error', /^Pay first\.$/],
    [
      'a name of ours',
      () => new HttpException(shape(200, 'invalid_access'), 402),
      402,
      'invalid_access',
      /^Pay first\.$/,
    ],
    ['part of the shape', () => new HttpException({ name: 'not_found' }, 409), 409, 'validation_error', /refused/],
    ['429', () => new HttpException('secret', 429), 429, 'rate_limit_exceeded', /Too many/],
    ['451', () => new HttpException('secret', 451), 451, 'validation_error', /refused/],
    ['503', () => new HttpException('secret', 503), 503, 'application_error', /later/],
    ['200', () => new HttpException('secret', 200), 500, 'application_error', /went wrong/],
    ['402 by http-errors', () => failure({ statusCode: 402, expose: true }), 402, 'validation_error', /refused/],
    ['an error with a status', () => failure({}), 500, 'application_error', /went wrong/],
    [
      'an ApiError',
      () => new ApiError(402, 'invalid_access', 'Pay.', { 'x-a': 'b' }),
      402,
      'invalid_access',
      /^Pay\.$/,
    ],
    ['a text', () => 'secret', 500, 'application_error', /went wrong/],
    ['a trap', () => new Proxy({}, { get: fail, getPrototypeOf: fail }), 500, 'application_error', /went wrong/],
  ])('that is %s is told as such', async (_, thrown, statusCode, name, message) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    const call = await start();
    refusal = thrown;
    const answer = await call('POST', '/things', { body: '{}', authorization: '' });
    expect(answer).toMatchObject({ status: statusCode });
    expect(answer.body).toEqual({ statusCode, name, message: expect.stringMatching(message) });
    log.mockRestore();
  });

  it('keeps the headers that it set', async () => {
    const call = await start();
    refusal = (response) => {
      response.setHeader('www-authenticate', 'Basic realm="shop"').setHeader('retry-after', '99');
      return new UnauthorizedException();
    };
    const { headers } = await call('GET', '/things/1', { authorization: '' });
    expect([headers.get('www-authenticate'), headers.get('retry-after')]).toEqual(['Basic realm="shop"', '99']);
  });
});

const failure = (properties: object) => Object.assign(new Error('secret'), { status: 402 }, properties);

function fail(): never {
  throw new Error('trap');
}

describe('keepBodyParsers', () => {
  const RAW = '{ "a":  "ä" }';
  const signature = createHmac('sha256', 'secret').update(RAW).digest('hex');

  it("has the host's own routes parsed, with the raw body, and the library's read behind their guards", async () => {
    const call = await start(keepBodyParsers, { rawBody: true });
    expect(await call('POST', '/hook', { body: RAW })).toMatchObject({ body: { signature, body: { a: 'ä' } } });
    expect(await call('POST', '/things', { body: '{"a": 1}' })).toMatchObject(MADE);
    // Parsed before the guards, it would be 400.
    refusal = () => ApiError.missingApiKey();
    for (const path of ['/things', '/things/?a=b', '//things', '/things/%FF/publish']) {
      const answer = await call('POST', path, { body: '{', authorization: '' });
      expect([path, answer.status]).toEqual([path, path.includes('%') ? 400 : path === '//things' ? 418 : 401]);
    }
    expect(await call('POST', '/hook', { body: '{' })).toMatchObject({ status: 418 });
  });

  it('has other parsers of the host spare them too, whenever they came', async () => {
    const call = await start(
      (host) => {
        host.useBodyParser('text', { type: '*/*' });
        keepBodyParsers(host);
        host.useBodyParser('json', { limit: '1kb' });
      },
      { rawBody: true },
    );
    const a = 'x'.repeat(2_000);
    expect(await call('POST', '/things', { body: JSON.stringify({ a }) })).toMatchObject({ body: { made: { a } } });
  });

  it("has a host's own methods parsed on the library's paths, and parsers for a path spare the library's too", async () => {
    const ofThings: Setup = (host) => void host.use('/things', json());
    const call = await start((host) => {
      ofThings(host);
      keepBodyParsers(host);
    });
    expect(await call('PUT', '/things', { body: '{"a": 1}' })).toMatchObject({ body: { own: true, body: { a: 1 } } });
    expect(await call('POST', '/things', { body: '{"a": 1}' })).toMatchObject(MADE);
    await app.close();
    await expect(start(ofThings)).rejects.toThrow('keepBodyParsers');
  });
});
