import { DocumentKeeper } from '../../core/documents/document-keeper.ts';
import type { OpenedCapability, OpeningParts } from '../capability.ts';
import { proxyRequestsOver } from './gate-refusal.ts';
import { loadRules } from './rules/load.ts';
import type { GateRules } from './rules/rules.ts';
import { rulesFirst } from './rules-first.ts';

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
  const gatePage = settings.portal ? (await import('./pages/gate-page.ts')).gatePage : undefined;
  return {
    decideFirst: rulesFirst(() => rules?.current),
    proxyRequests: (front) => proxyRequestsOver({ ...settings, ...front, gatePage }),
    reload: () => rules?.reload(),
    stop: () => rules?.close(),
  };
}
