import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Verified } from '../identity/verifier.ts';
import type { ReadUnit } from '../storage/store.ts';
import type { Call } from './call.ts';
import { confirmCaller, confirmHolder, type Known } from './caller.ts';
import { confirmClient } from './client.ts';
import type { TicketRules } from './tools.ts';

/** Finds who calls, in a unit that rests on it. */
export type Confirm = (unit: ReadUnit) => Promise<Known | Refusal>;

/** Level `user`: by a ticket, or by the password that was verified before. */
export function asUser(call: Call, verified: Verified | undefined, rules: TicketRules): Confirm {
  return (unit) => confirmCaller(unit, call, verified, rules);
}

/** Level `user` where tickets alone are credentials. */
export function asHolder(call: Call, rules: TicketRules): Confirm {
  return (unit) => confirmHolder(unit, call, rules);
}

/** Level `client`: by name and secret, which take no time to compare. */
export function asClient(call: Call): Confirm {
  return async (unit) => {
    const client = await confirmClient(unit, call);
    return isRefusal(client) ? client : { client };
  };
}
