import { type CanActivate, type ExecutionContext, Req, Res, type Type, UseFilters } from '@nestjs/common';
import { GUARDS_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { CallerGuard } from '../callers/caller.guard.js';
import { ApiErrorFilter } from '../http/api-error.filter.js';
import { JsonBodyReader, ORDINARY_BODY } from '../http/json-body.reader.js';
import { markRoute } from './express-routes.js';
import { OtherMethodsGuard } from './other-methods.guard.js';
import { type OwnRoute, ownAnswer, type Route } from './own-answer.js';
import { foreignParameters } from './parameters.js';

const OWN_PROOF = Symbol('nestjs-emails own proof');

/**
 * Controllers behind the host's guards, then the library's own. See `answering`.
 *
 * @param module whose they are, for the message
 * @throws Error when there is no guard, or a method has a parameter of a foreign decorator
 */
export function guarded(module: string, guards: readonly Type<CanActivate>[], controllers: readonly Type[]): Type[] {
  if (guards.length === 0) {
    throw new Error(`${module} has no guards, so that anybody could use it. Pass \`guards: [YourGuard]\` to it.`);
  }
  return answering(module, [...guards, CallerGuard], controllers);
}

/**
 * Controllers whose requests carry their own proof, such as a signed link, and pass no guard of the host's module.
 * Guards of the whole application still apply, unless they admit requests that `carriesOwnProof` recognises. See
 * `answering`.
 */
export function forStrangers(module: string, controllers: readonly Type[]): Type[] {
  const open = answering(module, [OtherMethodsGuard], controllers);
  for (const controller of open) Reflect.defineMetadata(OWN_PROOF, true, controller);
  return open;
}

/**
 * True if a route of this package is for strangers with their own proof, such as a signed link. A guard of the whole
 * application (`APP_GUARD`) should admit its requests, which have no key.
 *
 * @example
 * ```ts
 * class ApplicationGuard implements CanActivate {
 *   canActivate = (context: ExecutionContext) => carriesOwnProof(context) || isSignedIn(context);
 * }
 *
 * declare function isSignedIn(context: ExecutionContext): boolean;
 * ```
 */
export function carriesOwnProof(context: ExecutionContext): boolean {
  return Reflect.getMetadata(OWN_PROOF, context.getClass()) === true;
}

/**
 * Controllers whose routes write their answers themselves: refusals and successes follow the contract, regardless of
 * the host's filters and interceptors. The base class is not modified, so that an application may have a module twice.
 *
 * The methods of such a controller take the parameters declared with the decorators of `parameters.ts`, or request and
 * response, and return a body.
 */
function answering(module: string, guards: readonly Type<CanActivate>[], controllers: readonly Type[]): Type[] {
  const bodies = new JsonBodyReader(ORDINARY_BODY);
  return controllers.map((controller) => {
    @UseFilters(ApiErrorFilter)
    class GuardedController extends (controller as Type<object>) {}
    // `UseGuards` would put them behind those of the class, which may ask for the caller.
    const own = Reflect.getMetadata(GUARDS_METADATA, controller) ?? [];
    Reflect.defineMetadata(GUARDS_METADATA, [...guards, ...own], GuardedController);
    for (const [name, route] of routesOf(controller)) {
      refuseForeign(module, controller, name, route);
      const types = Reflect.getMetadata('design:paramtypes', controller.prototype, name) ?? [];
      const answer = withMetadata(ownAnswer(route, types, bodies), route);
      markRoute(answer, GuardedController);
      Object.defineProperty(GuardedController.prototype, name, { value: answer, configurable: true });
      // Nest gives it nothing but these: what the decorators of its parameters want, `ownAnswer` gives.
      Reflect.defineMetadata(ROUTE_ARGS_METADATA, {}, GuardedController, name);
      Req()(GuardedController.prototype, name, 0);
      Res()(GuardedController.prototype, name, 1);
    }
    // Named for the host's logs and stacks.
    return Object.defineProperty(GuardedController, 'name', { value: controller.name });
  });
}

/** Nest gives these methods no values: what another decorator says would be left out without a word. */
function refuseForeign(module: string, controller: Type, name: string, route: Route): void {
  const ofNest = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {};
  const [index] = foreignParameters(route, ofNest);
  if (index === undefined) return;
  throw new Error(
    `${module}: parameter ${index + 1} of \`${controller.name}.${name}\` has a decorator that has no effect there. Controllers of ` +
      "features take `@PathId()`, `@PathText('id')`, `@RequestQuery()`, `@RequestBody()`, `@CurrentCaller()`, " +
      '`@IdempotencyKey()` and `@RequestContext()` of `nestjs-emails`, or request and response alone.',
  );
}

/** Methods with a path, by their names. */
function routesOf({ prototype }: Type): [string, Route][] {
  return Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor')
    .map((name): [string, Route] => [name, prototype[name]])
    .filter(([, method]) => typeof method === 'function' && Reflect.hasMetadata(PATH_METADATA, method));
}

/** Path, method, status and other metadata of a route. */
function withMetadata(own: OwnRoute, route: Route): OwnRoute {
  for (const key of Reflect.getMetadataKeys(route)) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, route), own);
  }
  return Object.defineProperty(own, 'name', { value: route.name });
}
