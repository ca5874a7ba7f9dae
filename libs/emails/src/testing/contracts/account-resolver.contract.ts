import type { IncomingMessage } from 'node:http';
import type { AccountResolver } from '../../shared/callers/account-resolver.js';
import type { Caller } from '../../shared/callers/caller.js';
import { checkCaller, checkRefused } from './check-caller.js';
import type { ContractCase, Make } from './contract-case.js';

/** Requests in the form in which the host's guards leave them. */
export interface AccountResolverExamples {
  /** Makes a request that the guards admit. */
  request: Make<IncomingMessage>;
  /** Its account. */
  caller: Caller;
  /** Makes a request that no guard has seen: of a route that was mounted without one. */
  unseen: Make<IncomingMessage>;
}

/**
 * Checks the promises that the modules rely on when they resolve the account of a request.
 *
 * @example
 * ```ts
 * const caller: Caller = { accountId: 'acme', permission: 'full_access' };
 * const examples = { caller, request: () => request, unseen: () => request };
 * for (const { name, run } of accountResolverContract(() => accountResolver, examples)) test(name, run);
 * ```
 */
export function accountResolverContract(
  make: Make<AccountResolver>,
  { request, caller, unseen }: AccountResolverExamples,
): ContractCase[] {
  return [
    {
      name: 'finds the account of a request, also repeatedly',
      run: async () => {
        const resolver = await make();
        for (let time = 0; time < 2; time++) checkCaller(await resolver.resolve(await request()), caller);
      },
    },
    {
      name: 'refuses a request that no guard has seen',
      run: async () => {
        const resolver = await make();
        await resolver.resolve(await request());
        const stranger = await unseen();
        await checkRefused(() => resolver.resolve(stranger));
      },
    },
  ];
}
