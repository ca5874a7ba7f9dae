import { type CanActivate, type Type, UseFilters, UseGuards } from '@nestjs/common';
import { ApiErrorFilter } from '../http/api-error.filter.js';
import { CallerGuard } from './caller.guard.js';

/**
 * Controllers behind the host's guards, then the library's own; their refusals are those of the contract, whatever
 * filters the host has. What they extend stays as it is, so that an application may have a module twice.
 *
 * @param module whose they are, for the message
 * @throws Error when there is no guard
 */
export function guarded(module: string, guards: readonly Type<CanActivate>[], controllers: readonly Type[]): Type[] {
  if (guards.length === 0) {
    throw new Error(`${module} has no guards, so that anybody could use it. Pass \`guards: [YourGuard]\` to it.`);
  }
  return controllers.map((controller) => {
    @UseGuards(...guards, CallerGuard)
    @UseFilters(ApiErrorFilter)
    class GuardedController extends (controller as Type<object>) {}
    // For the host's logs and stacks.
    return Object.defineProperty(GuardedController, 'name', { value: controller.name });
  });
}
