import { loadCatalogue } from '../../../src/capabilities/action-definitions/catalogue/load.ts';
import { ConstraintLookup } from '../../../src/capabilities/action-definitions/nodes/constraint-lookup.ts';
import { SecondFactors } from '../../../src/capabilities/factors/second-factor/second-factors.ts';
import { mailToolsIn } from '../../../src/capabilities/mail/tools.ts';
import { NO_PROVIDERS } from '../../../src/capabilities/oidc/providers.ts';
import { NO_BRAND } from '../../../src/core/domain/brand.ts';
import { LockOuts } from '../../../src/core/identity/lock-outs.ts';
import { rulesFor } from '../../../src/core/identity/throttle-state.ts';
import { Sealer, sealingKey } from '../../../src/core/sealing/sealer.ts';
import { readSettings } from '../../../src/main/settings.ts';

const RULES = rulesFor({ throttleAfter: 5, lockoutThreshold: 100, lockoutDuration: 900_000 });

/** What a gate without a service around it needs for administrators and browsers. */
export const WITHOUT_SERVICE = {
  brand: NO_BRAND,
  operationTools: {
    currentCatalogue: () => loadCatalogue({ generation: '3.2', definitions: '', model: '' }),
    constraints: new ConstraintLookup(() => new Map()),
    mailTools: mailToolsIn(readSettings({ flags: {}, env: {} }).settings),
  },
  passwordPages: {},
  returnHosts: [],
  browserTools: {
    consoleSections: [],
    providers: NO_PROVIDERS,
    secondFactors: new SecondFactors({
      rules: { mode: 'off', groups: [], grace: 0 },
      sealer: undefined,
      clock: () => 0,
      onUnreadable: () => undefined,
    }),
  },
  asksSecondFactor: false,
  cookieSealer: new Sealer(() => [sealingKey(Buffer.alloc(32, 6))]),
  probeReadiness: async () => ({ isReady: true, isTested: true }),
  lockOuts: new LockOuts(Buffer.alloc(32, 5), RULES, false),
  service: {
    version: '0.0.0',
    settings: [],
    engines: { database: 'sqlite', tickets: 'sqlite' },
    liveTickets: () => 0,
    ticketLimits: { lifetime: { idle: 1, age: 1 }, perUser: 0, whenFull: 'refuse' },
    asksOldServer: false,
    asksDirectory: false,
    providerState: () => 'on' as const,
    hashesWaiting: () => 0,
    counts: () => ({}),
  },
} as const;
