import { type CanActivate, Req, Res, type Type, UseFilters, UseGuards } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { CallerGuard } from '../callers/caller.guard.js';
import { ApiErrorFilter } from '../http/api-error.filter.js';
import { JsonBodyReader } from '../http/json-body.reader.js';
import { markRoute } from './express-routes.js';
import { ownAnswer, type Route } from './own-answer.js';

/** Bytes of a body that is read for a route. */
const BODY_LIMIT = 1_000_000;

/**
 * Controllers behind the host's guards, then the library's own, whose routes write their answers themselves: both refusals
 * and successes are those of the contract, whatever filters and interceptors the host has. What they extend stays as it
 * is, so that an application may have a module twice.
 *
 * The methods of such a controller take request and response, whatever Nest's decorators might say, and return a body.
 *
 * @param module whose they are, for the message
 * @throws Error when there is no guard
 */
export function guarded(module: string, guards: readonly Type<CanActivate>[], controllers: readonly Type[]): Type[] {
  if (guards.length === 0) {
    throw new Error(`${module} has no guards, so that anybody could use it. Pass \`guards: [YourGuard]\` to it.`);
  }
  const bodies = new JsonBodyReader({ wire: BODY_LIMIT, kept: BODY_LIMIT });
  return controllers.map((controller) => {
    @UseGuards(...guards, CallerGuard)
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
