import { DocumentKeeper } from '../../core/documents/document-keeper.ts';
import { type Refusal, refuse } from '../../core/domain/refusal.ts';
import { userKey } from '../../core/domain/user.ts';
import type { DecideFirst } from '../../core/gate/call.ts';
import type { OpenedCapability, OpeningParts } from '../capability.ts';
import { proxyRequestsOver } from './gate-refusal.ts';
import { loadRules } from './rules/load.ts';
import { servicesFor } from './rules/protected-services.ts';
import { type Decision, type GateRules, unreadable } from './rules/rules.ts';

declare module '../../core/operation.ts' {
  interface RequestDecision extends Decision {}
}

/**
 * Applies the rules of the gate that are in force to a call about a request to another service. Without rules the call goes on
 * unchanged.
 */
const rulesFirst =
  (currentRules: () => GateRules | undefined): DecideFirst =>
  ({ toPublic }, call) => {
    const rules = currentRules();
    if (rules === undefined) return call;
    const original = call.originalRequest?.() ?? { unclear: 'no proxy tells it' };
    const decision = 'unclear' in original ? unreadable(original) : rules.decide(original);
    if (decision.access === 'some') return { ...call, decision };
    return { result: decision.access === 'public' ? toPublic : refusedToAll(decision) };
  };

function refusedToAll({ rules, unclear }: Decision): Refusal<'gate_denied'> {
  if (unclear !== undefined) return refuse('gate_denied', { detail: unclear, reason: unclear });
  const closing = rules.find((rule) => rule?.written.allow === 'none');
  if (closing === undefined)
    return refuse('gate_denied', { detail: 'no rule is about it', reason: 'no rule' });
  const { number, line } = closing;
  return refuse('gate_denied', { detail: 'it is closed', reason: `rule ${number}, line ${line}` });
}

function rulesKeeper({ settings, log }: OpeningParts): DocumentKeeper<GateRules> | undefined {
  const { gateRules: file, namesCaseSensitive } = settings;
  if (file === '') return undefined;
  return new DocumentKeeper(file, () => loadRules(file, namesCaseSensitive), {
    onLoaded: ({ rules }) => log.info({ rules: rules.length }, 'rules of the gate loaded'),
    onFault: (fault) =>
      log.error({ err: fault }, 'rules of the gate faulty: the last good ones stay in force'),
  });
}

/** Answers proxies, by the rules that are set. A fault of their document is thrown (`DocumentsFaulty`). */
export async function openProxyGate(parts: OpeningParts): Promise<OpenedCapability> {
  const { settings } = parts;
  const rules = rulesKeeper(parts);
  if (settings.handOverHosts.length > 0) parts.bookkeeping.useParents();
  const gatePage = settings.portal ? (await import('./pages/gate-page.ts')).gatePage : undefined;
  return {
    operationTools: { gateRulesInForce: () => rules?.current },
    consoleSections:
      rules === undefined ? [] : [{ to: '/portal/console/gate', text: 'console.gate', role: 'operator' }],
    browserTools: {
      ...(settings.handOverHosts.length > 0 && {
        handOver: { portal: settings.portalUrl, hosts: settings.handOverHosts },
      }),
      ...(rules !== undefined && {
        gateServices: ({ name, groupKeys }, client) => {
          const key = userKey(name, settings.namesCaseSensitive);
          return servicesFor(rules.current, { key, groupKeys }, client);
        },
      }),
    },
    decideFirst: rulesFirst(() => rules?.current),
    proxyRequests: (front) => proxyRequestsOver({ ...settings, ...front, brand: settings, gatePage }),
    reload: () => rules?.reload(),
    stop: () => rules?.close(),
  };
}
