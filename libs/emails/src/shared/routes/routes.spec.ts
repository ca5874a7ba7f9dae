import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import {
  type ArgumentsHost,
  BadRequestException,
  type CallHandler,
  type CanActivate,
  Catch,
  ClassSerializerInterceptor,
  Controller,
  Delete,
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
  Param,
  Patch,
  type PipeTransform,
  Post,
  Put,
  type RawBodyRequest,
  Req,
  RequestTimeoutException,
  Res,
  Scope,
  type Type,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
  VersioningType,
} from '@nestjs/common';
import { HttpAdapterHost, NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IsString } from 'class-validator';
import { json } from 'express';
import { catchError, map, of, repeat, tap, throwError } from 'rxjs';
import { type Caller, callerOf } from '../callers/caller.js';
import { ApiError } from '../errors/api-error.js';
import { PageQueryDto } from '../http/page-query.dto.js';
import { Field } from '../validation/field.js';
import { carriesOwnProof, guarded } from './guarded.js';
import { keepBodyParsers } from './keep-body-parsers.js';
import { listeningAddress } from './listening-address.js';
import { accountResolverOf, mounted } from './mounted.js';
import {
  CurrentCaller,
  IdempotencyKey,
  PathId,
  PathText,
  RequestBody,
  RequestContext,
  RequestQuery,
} from './parameters.js';

/** A request whose body the host has parsed. */
type RequestWithBody = IncomingMessage & { body: object };

const OPTIONS = Symbol('options');
const accountResolver = { resolve: () => ({ accountId: 'acme', permission: 'full_access' as const }) };

let calls = 0;
let goOn = () => {};
let knowsCaller: boolean | undefined;

@Controller('things')
class ThingsController {
  @Post()
  create(@RequestBody() body: object): object {
    calls++;
    return { made: body };
  }

  @Post(':id/publish')
  @HttpCode(200)
  publish(@RequestBody({ isOptional: true }) _body: object, @RequestContext() { response }: RequestContext): object {
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

  /** After the paths that it could match. */
  @Post('batch')
  many(): object {
    return { many: true };
  }
}

class NamedDto {
  @Field()
  @IsString()
  name!: string;
}

@Controller('named')
class NamedController {
  @Post()
  create(
    @CurrentCaller() { accountId }: Caller,
    @RequestBody() named: NamedDto,
    @RequestQuery() { limit }: PageQueryDto,
    @IdempotencyKey() key: string | undefined,
  ): object {
    calls++;
    return { accountId, ...named, limit, key };
  }
}

@Controller('doors')
class DoorsController {
  @Get(':key')
  open(): object {
    return { open: true };
  }
}

@Injectable()
class KnowingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    knowsCaller = callerOf(context.switchToHttp().getRequest()) !== undefined;
    return true;
  }
}

@Controller('own')
@UseGuards(KnowingGuard)
class StrangersController {
  @Get('texts/:text')
  text(@PathText('text') text: string): object {
    return { text };
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@PathId() _id: string): Promise<void> {}

  @Get('nothing')
  nothing(): null {
    return null;
  }

  @Post()
  silent(): void {}
}

let refusal: (response: ServerResponse) => unknown;

/** Request-scoped, like a controller that injects the request. */
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

/** Routes of a host on the same paths, and elsewhere. */
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

/** An interceptor with this effect on results. */
const doing = (intercept: NestInterceptor['intercept']): NestInterceptor => ({ intercept });

type Setup = (app: NestExpressApplication) => void;

let app: NestExpressApplication;

/** Starts a host that has these routes; it is closed after the test. */
async function start(prepare: Setup = () => {}, options: object = { bodyParser: false }) {
  const http = mounted({
    module: 'ThingsModule',
    controllers: [ThingsController, NamedController, StrangersController],
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

describe('a route under any interceptor of the host', () => {
  it.each<[string, NestInterceptor]>([
    ['wraps the result', doing((_, next) => next.handle().pipe(map((data) => ({ data }))))],
    ['serializes', new ClassSerializerInterceptor(new Reflector())],
    ['subscribes again', doing((_, next) => next.handle().pipe(repeat(3)))],
    ['answers errors itself', doing((_, next) => next.handle().pipe(catchError(() => of({ swallowed: true }))))],
    ['sets a status before', doing((context, next) => setStatus(context, next.handle()))],
    ['sets a status after', doing((context, next) => next.handle().pipe(tap(() => setStatus(context, undefined))))],
    ['sets a header after', doing((context, next) => next.handle().pipe(tap(() => header(context))))],
    ['fails after', doing((_, next) => next.handle().pipe(tap(() => JSON.parse('{'))))],
  ])('keeps its answer for one that %s', async (_, interceptor) => {
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

  it('answers in time for one that does not wait', async () => {
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

  it('is not called by one that refuses', async () => {
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

describe('a route under any pipe of the host', () => {
  const trim: PipeTransform = { transform: (value) => JSON.parse(JSON.stringify(value ?? null), trimmed) };
  const trimmed = (_: string, value: unknown) => (typeof value === 'string' ? value.trim() : value);
  const nothing: PipeTransform = { transform: () => undefined };
  const closed: PipeTransform = {
    transform: () => {
      throw new BadRequestException();
    },
  };

  it.each<[string, PipeTransform]>([
    ['trims', trim],
    ['checks our parameters too', new ValidationPipe({ transform: true, validateCustomDecorators: true })],
    [
      'refuses unknown fields',
      new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, validateCustomDecorators: true }),
    ],
    ['returns undefined for everything', nothing],
    ['refuses everything', closed],
  ])('keeps its answer for one that %s', async (_, pipe) => {
    const call = await start((host) => host.useGlobalPipes(pipe));
    const headers = { 'idempotency-key': 'one' };
    const named = (body: string) => call('POST', '/named?limit=5&colour=red', { body, ...headers });
    expect(await named('{"name": " two spaces  "}')).toMatchObject({
      status: 201,
      body: { accountId: 'acme', name: ' two spaces  ', limit: '5', key: 'one' },
    });
    expect(calls).toBe(1);
    expect(await named('{"nmae": "x"}')).toMatchObject({
      status: 422,
      body: { statusCode: 422, name: 'validation_error', message: expect.stringContaining('Did you mean `name`?') },
    });
    expect(calls).toBe(1);
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
    // By Express or by the host's filter, as in Nest.
    expect([404, 418]).toContain((await call('POST', '/things')).status);
  });
});

describe("a stranger's controller", () => {
  const ID = '0b6ee9b0-4f2e-4d0c-8f0e-6f2f4b1d3c5a';

  it('gets parameters of the path', async () => {
    const call = await start();
    expect(await call('GET', '/own/texts/a%20b')).toMatchObject({ status: 200, body: { text: 'a b' } });
    expect(await call('DELETE', '/own/x')).toMatchObject({ status: 422 });
  });

  it('answers nothing with nothing, as Nest does', async () => {
    const call = await start();
    for (const [method, path, status] of [
      ['DELETE', `/own/${ID}`, 204],
      ['GET', '/own/nothing', 200],
      ['POST', '/own', 201],
    ] as const) {
      expect(await call(method, path)).toMatchObject({ status, body: undefined });
    }
  });

  it('has its own guards asked once the caller is known', async () => {
    const call = await start();
    knowsCaller = undefined;
    expect(await call('GET', '/own/texts/a', { authorization: '' })).toMatchObject({ status: 403 });
    expect(knowsCaller).toBeUndefined();
    await call('GET', '/own/texts/a');
    expect(knowsCaller).toBe(true);
  });

  it('is refused with a decorator of parameters that is not of this package', () => {
    @Controller()
    class Foreign {
      @Get(':id')
      find(@CurrentCaller() _caller: Caller, @Param('id') _id: string): void {}
    }
    @Controller()
    class Misplaced {
      @Get()
      list(@Res() _response: ServerResponse): void {}
    }
    @Controller()
    class Whole {
      @Get()
      list(@Req() _request: IncomingMessage, @Res() _response: ServerResponse): void {}
    }
    const mount = (controller: Type) => () => guarded('Feature own', [SomeGuard], [controller]);
    expect(mount(Foreign)).toThrow(
      /^Feature own: parameter 2 of `Foreign\.find` has a decorator .*`@PathText\('id'\)`/,
    );
    expect(mount(Misplaced)).toThrow('parameter 1 of `Misplaced.list`');
    expect(mount(Whole)).not.toThrow();
  });
});

describe('a route for strangers', () => {
  it('needs only its own proof', async () => {
    const call = await start();
    refusal = () => ApiError.missingApiKey();
    const anonymous = { authorization: '' };
    expect(await call('GET', '/doors/1', anonymous)).toMatchObject({ status: 200, body: { open: true } });
    expect((await call('HEAD', '/doors/1', anonymous)).status).toBe(200);
    const other = await call('POST', '/doors/1', { ...anonymous, body: '{}' });
    expect(other).toMatchObject({ status: 405, body: { statusCode: 405, name: 'method_not_allowed' } });
    expect(other.headers.get('allow')).toBe('GET');
  });

  it('is found at any mount point while the host listens', async () => {
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

  it('is recognised by a guard of the whole application', async () => {
    const guard = { canActivate: (context: ExecutionContext) => carriesOwnProof(context) };
    const call = await start((host) => host.useGlobalGuards(guard));
    expect((await call('GET', '/doors/1')).status).toBe(200);
    expect((await call('GET', '/things/1')).status).toBe(403);
  });
});

describe('other methods', () => {
  it('are refused with the existing ones', async () => {
    const call = await start();
    for (const [path, allow, methods] of [
      ['/things', 'POST', ['GET', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']],
      ['/things/1', 'GET, PATCH', ['POST', 'PUT', 'OPTIONS']],
      // Not those of the route with a parameter that they match.
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

  it('are refused only after the caller is known', async () => {
    const call = await start();
    refusal = () => ApiError.missingApiKey();
    expect(await call('PATCH', '/things', { authorization: '' })).toMatchObject({ status: 401 });
  });

  it('of the host are answered by it', async () => {
    const call = await start();
    expect(await call('PUT', '/things')).toMatchObject({ status: 200, body: { own: true } });
  });
});

it('refuses an undecodable path in the shape of the contract', async () => {
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
  ])('that is %s is reported as such', async (_, thrown, statusCode, name, message) => {
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

  it("parses the host's routes with the raw body, and reads the library's bodies after their guards", async () => {
    const call = await start(keepBodyParsers, { rawBody: true });
    expect(await call('POST', '/hook', { body: RAW })).toMatchObject({ body: { signature, body: { a: 'ä' } } });
    expect(await call('POST', '/things', { body: '{"a": 1}' })).toMatchObject(MADE);
    // It would be 400 if the body were parsed before the guards.
    refusal = () => ApiError.missingApiKey();
    for (const path of ['/things', '/things/?a=b', '//things', '/things/%FF/publish']) {
      const answer = await call('POST', path, { body: '{', authorization: '' });
      expect([path, answer.status]).toEqual([path, path.includes('%') ? 400 : path === '//things' ? 418 : 401]);
    }
    expect(await call('POST', '/hook', { body: '{' })).toMatchObject({ status: 418 });
  });

  it('makes other parsers of the host skip them too, in any order of registration', async () => {
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

  it("parses the host's methods on the library's paths, and makes parsers for a path skip the library's", async () => {
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
