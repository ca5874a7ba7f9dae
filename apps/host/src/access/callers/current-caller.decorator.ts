import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';
import { callerOf } from './caller.js';

/** The `Caller` behind a guarded request, as a parameter of a handler. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const caller = callerOf(context.switchToHttp().getRequest());
  if (caller === undefined) {
    throw ApiError.missingApiKey();
  }
  return caller;
});
