import type { IncomingMessage } from 'node:http';
import type { AccountResolver } from '../../shared/callers/account-resolver.js';
import type { Caller } from '../../shared/callers/caller.js';
import { checkCaller, checkRefused } from './check-caller.js';
import type { ContractCase, Make } from './contract-case.js';

/** Requests as the host's guards leave them. */
export interface AccountResolverExamples {
  /** Makes a request that the guards let pass. */
  request: Make<IncomingMessage>;
  /** Whose it is. */
  caller: Caller;
  /** Makes a request that no guard has seen: of a route that was mounted without one. */
  unseen: Make<IncomingMessage>;
}

/** What the modules rely on when they ask whose a request is. */
export function accountResolverContract(
  make: Make<AccountResolver>,
  { request, caller, unseen }: AccountResolverExamples,
): ContractCase[] {
  return [
    {
      name: 'knows whose a request is, each time anew',
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
