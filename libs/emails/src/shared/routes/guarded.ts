import { type CanActivate, type ExecutionContext, Req, Res, type Type, UseFilters, UseGuards } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { CallerGuard } from '../callers/caller.guard.js';
import { ApiErrorFilter } from '../http/api-error.filter.js';
import { JsonBodyReader } from '../http/json-body.reader.js';
import { markRoute } from './express-routes.js';
import { OtherMethodsGuard } from './other-methods.guard.js';
import { ownAnswer, type Route } from './own-answer.js';

const OWN_PROOF = Symbol('nestjs-emails own proof');

/** Bytes of a body that is read for a route. */
const BODY_LIMIT = 1_000_000;

/**
 * Controllers behind the host's guards, then the library's own. See `answering`.
 *
 * @param module whose they are, for the message
 * @throws Error when there is no guard
 */
export function guarded(module: string, guards: readonly Type<CanActivate>[], controllers: readonly Type[]): Type[] {
  if (guards.length === 0) {
    throw new Error(`${module} has no guards, so that anybody could use it. Pass \`guards: [YourGuard]\` to it.`);
  }
  return answering([...guards, CallerGuard], controllers);
}

/**
 * Controllers of which each request carries its own proof, such as a signed link: no guard of the host's module asks who
 * comes. Guards of the whole application do all the same, unless they let pass what `carriesOwnProof`. See `answering`.
 */
export function forStrangers(controllers: readonly Type[]): Type[] {
  const open = answering([OtherMethodsGuard], controllers);
  for (const controller of open) Reflect.defineMetadata(OWN_PROOF, true, controller);
  return open;
}

/**
 * Whether a route of this package is for strangers who carry their own proof, such as a signed link. A guard of the whole
 * application (`APP_GUARD`) should let it pass: nobody comes there with a key.
 */
export function carriesOwnProof(context: ExecutionContext): boolean {
  return Reflect.getMetadata(OWN_PROOF, context.getClass()) === true;
}

/**
 * Controllers whose routes write their answers themselves: both refusals and successes are those of the contract, whatever
 * filters and interceptors the host has. What they extend stays as it is, so that an application may have a module twice.
 *
 * The methods of such a controller take request and response, whatever Nest's decorators might say, and return a body.
 */
function answering(guards: readonly Type<CanActivate>[], controllers: readonly Type[]): Type[] {
  const bodies = new JsonBodyReader({ wire: BODY_LIMIT, kept: BODY_LIMIT });
  return controllers.map((controller) => {
    @UseGuards(...guards)
    @UseFilters(ApiErrorFilter)
    class GuardedController extends (controller as Type<object>) {}
    for (const [name, route] of routesOf(controller)) {
      const own = withMetadata(ownAnswer(route, bodies), route);
      markRoute(own, GuardedController);
      Object.defineProperty(GuardedController.prototype, name, { value: own, configurable: true });
      Req()(GuardedController.prototype, name, 0);
      Res()(GuardedController.prototype, name, 1);
    }
    // For the host's logs and stacks.
    return Object.defineProperty(GuardedController, 'name', { value: controller.name });
  });
}

/** Methods with a path, by their names. */
function routesOf({ prototype }: Type): [string, Route][] {
  return Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor')
    .map((name): [string, Route] => [name, prototype[name]])
    .filter(([, method]) => typeof method === 'function' && Reflect.hasMetadata(PATH_METADATA, method));
}

/** Path, method, status and whatever else was said of a route. */
function withMetadata(own: Route, route: Route): Route {
  for (const key of Reflect.getMetadataKeys(route)) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, route), own);
  }
  return Object.defineProperty(own, 'name', { value: route.name });
}
