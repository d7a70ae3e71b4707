import { hkdfSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { OpeningParts } from '../capabilities/capability.ts';
import type { RunningService } from '../core/domain/running-service.ts';
import { serverIdentity } from '../core/domain/server-identity.ts';
import type { VerifyToken } from '../core/gate/call.ts';
import { Gate } from '../core/gate/execute.ts';
import { FullUsers } from '../core/gate/ticket-room.ts';
import { systemRandom, type TicketRules } from '../core/gate/tickets.ts';
import { LockOuts } from '../core/identity/lock-outs.ts';
import { newPasswords } from '../core/identity/new-password.ts';
import { PasswordCheck } from '../core/identity/password-check.ts';
import type { PasswordJudge } from '../core/identity/password-judge.ts';
import { throttleKeyFor } from '../core/identity/throttle-key.ts';
import { rulesFor } from '../core/identity/throttle-state.ts';
import type { LocalVerifier } from '../core/identity/verifiers/local.ts';
import type { AnyOperation } from '../core/operation.ts';
import { Sealer, sealingKey } from '../core/sealing/sealer.ts';
import { hashCostIn, newPasswordRulesIn, ticketLimitsIn } from '../core/settings/derived.ts';
import type { SettingInEffect } from '../core/settings/read.ts';
import type { Settings } from '../core/settings/table.ts';
import type { Metrics } from '../core/telemetry/metrics.ts';
import type { OpenedCapabilities } from './opened-capabilities.ts';
import type { Readiness } from './readiness.ts';
import { serviceAsSet } from './service-as-set.ts';
import { SETTINGS } from './settings.ts';

/** What a service is created from, and its capabilities are opened with. */
export interface OwnParts extends OpeningParts {
  /** What administrators are shown of the settings: what `tessera settings` prints. */
  readonly inEffect: readonly SettingInEffect[];
  readonly readiness: Readiness;
  /** Judges new passwords beside the event loop. */
  readonly passwordJudge: Pick<PasswordJudge, 'faultOf' | 'close'>;
  readonly localVerifier: LocalVerifier;
}

/** What every part of a service is created from. */
export interface ServiceParts extends OwnParts {
  readonly capabilities: OpenedCapabilities;
  /** Every operation that is served and described. */
  readonly operations: readonly AnyOperation[];
}

/** Every operation that is served, without the pages. */
export const allServed = ({ operations, capabilities }: ServiceParts): readonly AnyOperation[] => [
  ...operations,
  ...capabilities.each('operations').flat(),
];

/** The one password check, as it is set. */
export function passwordCheckOver(parts: ServiceParts, metrics: Metrics): PasswordCheck {
  const { settings, store, capabilities, hashPool, localVerifier, bookkeeping, clock, onFault } = parts;
  return new PasswordCheck({
    store,
    verifiers: capabilities.verifiersWith(localVerifier),
    ...capabilities.factorsOfPrograms,
    ...newPasswords({
      pool: hashPool,
      cost: hashCostIn(settings),
      rulesFor: (name) => newPasswordRulesIn(settings, name),
      judgeStrength: parts.passwordJudge.faultOf,
      clock,
    }),
    rules: rulesFor(settings),
    throttleKey: throttleKeyFor(settings, 'service'),
    namesCaseSensitive: settings.namesCaseSensitive,
    ticketsWithoutPassword: settings.ticketsWithoutPassword,
    deadline: settings.hashDeadline,
    clock,
    onRefused: () => metrics.passwordRefused(),
    onLockedOut: () => metrics.lockedOut(),
    tally: (event) => bookkeeping.tally(event),
    onFault,
  });
}

/** The names that the service gives itself, as they are set. */
export const identityIn = ({ announcedEdition, announcedVersion }: Settings) =>
  serverIdentity({ edition: announcedEdition, version: announcedVersion });

/**
 * What seals the short-lived state in cookies. Its key is derived from that of the failure counters, which all workers and
 * instances have (HKDF, RFC 5869).
 */
export function cookieSealerFor(settings: Settings): Sealer {
  const derived = hkdfSync('sha256', throttleKeyFor(settings, 'service'), '', 'tessera cookies', 32);
  const key = sealingKey(Buffer.from(derived));
  return new Sealer(() => [key]);
}

const lockOutsIn = (settings: Settings) =>
  new LockOuts(throttleKeyFor(settings, 'service'), rulesFor(settings), settings.namesCaseSensitive);

/** What a process knows while it runs. */
export interface ServiceCounts {
  liveTickets(): number;
  hashesWaiting(): number;
}

/** What administrators are shown of this process. */
export function runningService(
  { settings, inEffect, sweeps, capabilities }: ServiceParts,
  { liveTickets, hashesWaiting }: ServiceCounts,
): RunningService {
  const verifiers = capabilities.each('verifier').map(({ name }) => name);
  return {
    ...serviceAsSet(settings, inEffect),
    asksOldServer: verifiers.includes('old server'),
    asksDirectory: verifiers.includes('directory'),
    providerState: capabilities.providerState,
    // Only a process that sweeps counts tickets.
    liveTickets: () => (sweeps ? liveTickets() : undefined),
    hashesWaiting,
    counts: () => Object.assign({}, ...capabilities.each('counts').map((counts) => counts())),
  };
}

/** Has these verify an access token in turn, until one knows it. */
function firstToKnow(verifiers: readonly VerifyToken[]): VerifyToken {
  return async (operation, call) => {
    for (const verify of verifiers) {
      const verified = await verify(operation, call);
      if (verified !== undefined) return verified;
    }
    return undefined;
  };
}

/** The gate, as it is set. */
export function gateOver(parts: ServiceParts, passwords: PasswordCheck, counts: ServiceCounts): Gate {
  const { settings, capabilities } = parts;
  return new Gate({
    store: parts.store,
    passwords,
    rules: parts.ticketRules,
    bookkeeping: parts.bookkeeping,
    operations: parts.operations,
    verifyToken: firstToKnow(capabilities.each('verifyToken')),
    nodes: capabilities.one('nodes'),
    decideFirst: capabilities.one('decideFirst'),
    operationTools: capabilities.operationTools,
    browserTools: capabilities.browserTools,
    brand: settings,
    identity: identityIn(settings),
    namesCaseSensitive: settings.namesCaseSensitive,
    allPeopleVisible: settings.peopleVisible === 'all',
    passwordPages: SETTINGS.passwordPagesOf(settings),
    returnHosts: settings.returnHosts,
    cookieSealer: cookieSealerFor(settings),
    asksSecondFactor: capabilities.factorsOfPrograms.asksSecondFactor,
    lockOuts: lockOutsIn(settings),
    service: runningService(parts, counts),
    probeReadiness: () => parts.readiness.probe(),
    loginByGet: settings.loginGet,
    onFault: parts.onFault,
  });
}

/** The rules of tickets, as they are set. */
export const ticketRulesIn = (settings: Settings, clock: () => number): TicketRules => ({
  ...ticketLimitsIn(settings),
  clock,
  random: systemRandom,
  fullUsers: new FullUsers(),
});

/** How much lower the priority of the hashing threads is than that of the event loop (`nice`). */
const LOWER_BY = 10;
/** Where Linux lists the threads of this process, and the name that libuv gives to those of its pool. */
const THREADS = '/proc/self/task';
const POOL = 'libuv-worker';

/** The threads of Node's pool. None before its first work, and none if the system does not tell them apart. */
function poolThreads(): readonly number[] {
  try {
    const all = readdirSync(THREADS);
    return all.filter((id) => readFileSync(`${THREADS}/${id}/comm`, 'utf8').trim() === POOL).map(Number);
  } catch {
    return [];
  }
}

/**
 * Lowers the priority of the threads that hash passwords, so that validations and the rest of a login do not wait for a core
 * (docs/why/hash-queue.md). Call it after the first hash: there are no threads before. If the system does not allow it,
 * nothing changes; only speed depends on it.
 */
export function lowerHashPriority(): void {
  const priority = Math.min(getPriority() + LOWER_BY, 19);
  try {
    for (const thread of poolThreads()) setPriority(thread, priority);
  } catch {
    // A sandbox may forbid changes of priorities.
  }
}
