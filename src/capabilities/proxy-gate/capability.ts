import type { Capability } from '../capability.ts';
import { gateSettings } from './settings.ts';

export const proxyGate: Capability = {
  id: 'proxy-gate',
  settings: gateSettings,
  operations: async () => (await import('./operations.ts')).OPERATIONS,
  pages: async () => (await import('./pages.ts')).PAGES,
  accountSections: async () => (await import('./pages/account.ts')).accountSections,
  commands: {
    gate: async () => (await import('./commands.ts')).gateCommand,
  },
  operationTools: ({ gateRules, namesCaseSensitive }) => ({
    gateRulesInForce: async () =>
      gateRules === ''
        ? undefined
        : (await import('./rules/load.ts')).loadRules(gateRules, namesCaseSensitive),
  }),
  documents: async () => {
    const { loadRules } = await import('./rules/load.ts');
    return {
      gateRules: ({ gateRules, namesCaseSensitive }) => void loadRules(gateRules, namesCaseSensitive),
    };
  },
  open: async (parts) => (await import('./assembly.ts')).openProxyGate(parts),
};
