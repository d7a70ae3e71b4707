import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import type { Call, CallOutcome } from '../../core/gate/call.ts';
import type { AnyOperation } from '../../core/operation.ts';
import { type Decision, type GateRules, unreadable } from './rules/rules.ts';

/**
 * Applies the rules of the gate to a call about a request to another service. Returns the outcome if they decide for every
 * caller alike, otherwise the call with their decision. Without rules it returns the call unchanged.
 */
export function rulesFirst(
  { toPublic }: NonNullable<AnyOperation['anyRequest']>,
  call: Call,
  rules: GateRules | undefined,
): Call | CallOutcome {
  if (rules === undefined) return call;
  const original = call.originalRequest?.() ?? { unclear: 'no proxy tells it' };
  const decision = 'unclear' in original ? unreadable(original) : rules.decide(original);
  if (decision.access === 'some') return { ...call, decision };
  return { result: decision.access === 'public' ? toPublic : refusedToAll(decision) };
}

function refusedToAll({ rules, unclear }: Decision): Refusal<'gate_denied'> {
  if (unclear !== undefined) return refuse('gate_denied', { detail: unclear, reason: unclear });
  const closing = rules.find((rule) => rule?.written.allow === 'none');
  if (closing === undefined)
    return refuse('gate_denied', { detail: 'no rule is about it', reason: 'no rule' });
  const { number, line } = closing;
  return refuse('gate_denied', { detail: 'it is closed', reason: `rule ${number}, line ${line}` });
}
