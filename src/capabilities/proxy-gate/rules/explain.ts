import { groupKey } from '../../../core/domain/group.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ClientAddress } from '../../../core/http/client-address.ts';
import { readOriginalRequest } from '../original-request.ts';
import { type Decision, type GateRule, type GateRules, ruleAgainst, unreadable } from './rules.ts';

/** A user as rules see it, with the names of its groups. */
export interface AskingUser {
  readonly user: Pick<User, 'name' | 'disabled'>;
  readonly groups: readonly string[];
}

/** What the gate answers to a request. `passes` still needs what the rules demand of the sign-in. */
export type GateVerdict =
  | 'passes'
  | 'public'
  | 'sign-in'
  | 'disabled'
  | 'not-admitted'
  | 'closed'
  | 'unmatched'
  | 'unreadable';

/** What the gate answers to a request, and the rule that refuses it, if one does. */
export interface GateExplanation {
  readonly verdict: GateVerdict;
  readonly decision: Decision;
  readonly against?: GateRule | undefined;
  readonly asking?: AskingUser | undefined;
}

/** Without rules the gate lets every user with a live ticket through. */
const WITHOUT_RULES: Decision = { access: 'some', rules: [] };

/** What the gate decides over a request to this URL, as if a proxy had sent it. `client` is the address that it comes from. */
export function decisionOver(
  rules: GateRules | undefined,
  url: string,
  method: string,
  client?: ClientAddress,
): Decision {
  if (rules === undefined) return WITHOUT_RULES;
  const headers = { 'x-original-url': url, 'x-original-method': method };
  const original = readOriginalRequest({ headers }, 'x-original-url');
  return 'unclear' in original ? unreadable(original) : rules.decide({ ...original, client });
}

/** Why the gate answers so. Without a user, the request comes without a live ticket. */
export function explain(
  decision: Decision,
  asking: AskingUser | undefined,
  keyOf: (name: string) => string,
): GateExplanation {
  const { access, rules, unclear } = decision;
  const about = { decision, asking };
  if (unclear !== undefined) return { ...about, verdict: 'unreadable' };
  if (access === 'public') return { ...about, verdict: 'public' };
  if (access === 'none') {
    const against = rules.find((rule) => rule?.written.allow === 'none');
    return { ...about, against, verdict: against ? 'closed' : 'unmatched' };
  }
  if (asking === undefined) return { ...about, verdict: 'sign-in' };
  const { user, groups } = asking;
  if (user.disabled) return { ...about, verdict: 'disabled' };
  const against = ruleAgainst(decision, { key: keyOf(user.name), groupKeys: groups.map(groupKey) });
  return { ...about, against, verdict: against ? 'not-admitted' : 'passes' };
}
