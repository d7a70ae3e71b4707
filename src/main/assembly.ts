import { hkdfSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Logger } from 'pino';
import { definitionsOver } from '../capabilities/action-definitions/assembly.ts';
import { AppPasswordVerifier } from '../capabilities/factors/app-passwords/verifier.ts';
import { factorsOfPrograms, secondFactorsFor } from '../capabilities/factors/assembly.ts';
import { type OpenedDirectory, openDirectory } from '../capabilities/ldap/assembly.ts';
import { OldServer } from '../capabilities/migration/shadow/old-server.ts';
import { ShadowVerifier } from '../capabilities/migration/shadow/shadow-verifier.ts';
import { accessTokenCheckOver } from '../capabilities/oidc/access-tokens.ts';
import type { OpenedProviders } from '../capabilities/oidc/assembly.ts';
import { verifyToken } from '../capabilities/oidc/exchange.ts';
import type { AccessTokenCheck } from '../capabilities/oidc/verifier.ts';
import { rulesFirst } from '../capabilities/proxy-gate/rules-first.ts';
import type { OpenedTracing } from '../capabilities/tracing/open.ts';
import type { OpenedWebhooks } from '../capabilities/webhooks/assembly.ts';
import type { FactorsOfPrograms } from '../core/domain/second-factor.ts';
import { serverIdentity } from '../core/domain/server-identity.ts';
import type { Bookkeeping } from '../core/gate/bookkeeping.ts';
import { Gate } from '../core/gate/execute.ts';
import { FullUsers } from '../core/gate/ticket-room.ts';
import { systemRandom } from '../core/gate/tickets.ts';
import type { HashPool } from '../core/identity/hash-queue.ts';
import { LockOuts } from '../core/identity/lock-outs.ts';
import { newPasswords } from '../core/identity/new-password.ts';
import { PasswordCheck } from '../core/identity/password-check.ts';
import { type HashCost, hashPassword } from '../core/identity/password-hash.ts';
import type { PasswordJudge } from '../core/identity/password-judge.ts';
import { throttleKeyFor } from '../core/identity/throttle-key.ts';
import { rulesFor } from '../core/identity/throttle-state.ts';
import { localVerifier } from '../core/identity/verifiers/local.ts';
import type { Verifier } from '../core/identity/verifiers/verifier.ts';
import type { AnyOperation } from '../core/operation.ts';
import { Sealer, sealingKey } from '../core/sealing/sealer.ts';
import { hashCostIn, newPasswordRulesIn, passwordPagesIn, ticketLimitsIn } from '../core/settings/derived.ts';
import type { SettingInEffect } from '../core/settings/read.ts';
import type { Settings } from '../core/settings/table.ts';
import { certificatesIn } from '../core/settings/trusted-certificates.ts';
import type { Store } from '../core/storage/store.ts';
import type { TakeOver } from '../core/storage/take-over.ts';
import type { Metrics } from '../core/telemetry/metrics.ts';
import type { Documents } from './documents.ts';
import type { Portal } from './pages.ts';
import type { Readiness } from './readiness.ts';
import { runningService, type ServiceCounts } from './running-service.ts';

/** What every part of a service is created from. */
export interface ServiceParts {
  readonly settings: Settings;
  /** What administrators are shown of the settings: what `tessera settings` prints. */
  readonly inEffect: readonly SettingInEffect[];
  /** Whether this process sweeps. Only such a process counts live tickets. */
  readonly sweeps: boolean;
  readonly store: Store;
  readonly readiness: Readiness;
  /** Judges new passwords beside the event loop. */
  readonly passwordJudge: PasswordJudge;
  readonly log: Logger;
  /** Every operation that is served. */
  readonly operations: readonly AnyOperation[];
  /** What capabilities remove of a local user whom a person at a provider takes over. */
  readonly takeOvers: readonly TakeOver[];
  /** The identity providers where people sign in. */
  readonly providers: OpenedProviders;
  /** The delivery of events to receivers of webhooks. */
  readonly webhooks: OpenedWebhooks;
  /** The pages for people, if they are served. */
  readonly portal?: Portal | undefined;
  /** Follows requests in traces, if that is asked for. */
  readonly tracing?: OpenedTracing | undefined;
  /** The operations of SCIM, if they are served. */
  readonly scim: readonly AnyOperation[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onFault: (fault: unknown, requestId?: string) => void;
}

/** The one password check, as it is set. */
function passwordCheckOver(
  { settings, store, passwordJudge, clock, onFault }: ServiceParts,
  programs: FactorsOfPrograms,
  verifiers: readonly Verifier[],
  pool: HashPool,
  bookkeeping: Bookkeeping,
  metrics: Metrics,
): PasswordCheck {
  return new PasswordCheck({
    store,
    verifiers,
    ...programs,
    ...newPasswords({
      pool,
      cost: hashCostIn(settings),
      rulesFor: (name) => newPasswordRulesIn(settings, name),
      judgeStrength: passwordJudge.faultOf,
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

/** The checks of what callers present besides tickets. */
interface CredentialChecks {
  readonly passwords: PasswordCheck;
  readonly accessTokens: AccessTokenCheck | undefined;
}

/** The checks of passwords and of access tokens, as they are set. */
export async function credentialChecksOver(
  parts: ServiceParts,
  verifiers: readonly Verifier[],
  pool: HashPool,
  bookkeeping: Bookkeeping,
  metrics: Metrics,
): Promise<CredentialChecks> {
  const programs = factorsOfPrograms(parts.settings, parts.store, parts.clock);
  const passwords = passwordCheckOver(parts, programs, verifiers, pool, bookkeeping, metrics);
  const accessTokens = await accessTokenCheckOver({ ...parts, factorsOfPrograms: programs }, bookkeeping);
  return { passwords, accessTokens };
}

/** The names that the service gives itself, as they are set. */
export const identityIn = ({ announcedEdition, announcedVersion }: Settings) =>
  serverIdentity({ edition: announcedEdition, version: announcedVersion });

/**
 * What seals the short-lived state in cookies. Its key is derived from that of the failure counters, which all workers and
 * instances have (HKDF, RFC 5869).
 */
function cookieSealerFor(settings: Settings): Sealer {
  const derived = hkdfSync('sha256', throttleKeyFor(settings, 'service'), '', 'tessera cookies', 32);
  const key = sealingKey(Buffer.from(derived));
  return new Sealer(() => [key]);
}

const lockOutsIn = (settings: Settings) =>
  new LockOuts(throttleKeyFor(settings, 'service'), rulesFor(settings), settings.namesCaseSensitive);

/** The gate, as it is set. */
export function gateOver(
  parts: ServiceParts,
  bookkeeping: Bookkeeping,
  documents: Documents,
  { passwords, accessTokens }: CredentialChecks,
  counts: ServiceCounts,
): Gate {
  const { settings, store, operations, clock, log, onFault } = parts;
  const rules = {
    ...ticketLimitsIn(settings),
    clock,
    random: systemRandom,
    fullUsers: new FullUsers(),
  };
  const { currentCatalogue } = documents;
  const definitions = definitionsOver({ settings, log, currentCatalogue, onFault });
  return new Gate({
    store,
    passwords,
    verifyToken: accessTokens && verifyToken({ store, rules, accessTokens }),
    rules,
    bookkeeping,
    operationTools: definitions.tools,
    nodes: definitions.nodes,
    decideFirst: rulesFirst(documents.currentRules),
    operations,
    identity: identityIn(settings),
    namesCaseSensitive: settings.namesCaseSensitive,
    allPeopleVisible: settings.peopleVisible === 'all',
    passwordPages: passwordPagesIn(settings),
    returnHosts: settings.returnHosts,
    browserTools: { providers: parts.providers, secondFactors: secondFactorsFor(settings, clock, log) },
    cookieSealer: cookieSealerFor(settings),
    asksSecondFactor: settings.secondFactor !== 'off',
    lockOuts: lockOutsIn(settings),
    service: runningService(parts, counts),
    probeReadiness: () => parts.readiness.probe(),
    loginByGet: settings.loginGet,
    onFault,
  });
}

/** The verifiers of passwords in the order in which they are asked, and how to close them. */
export interface OpenedVerifiers {
  readonly verifiers: readonly Verifier[];
  /** Rejects if no password can be checked here. */
  readonly ready: Promise<unknown>;
  /** Whether a directory is set, and no server of it answered when it was asked last. */
  /** The directory, if one is set. */
  readonly directory: Pick<OpenedDirectory, 'requests' | 'isSilent'> | undefined;
  directoryIsSilent(): boolean;
  /** Starts the periodic check whether users of the directory may still log in, if this process sweeps. */
  startRechecks(): void;
  close(): Promise<void>;
}

/** The verifiers, as they are set, in the order of `docs/reference/verifiers.md`. */
export async function openVerifiers(
  parts: ServiceParts,
  pool: HashPool,
  cost: HashCost,
  bookkeeping: Bookkeeping,
): Promise<OpenedVerifiers> {
  const onUse = (...use: Parameters<Bookkeeping['usedAppPassword']>) => bookkeeping.usedAppPassword(...use);
  const appPassword = new AppPasswordVerifier({ ...parts, onUse });
  const directory = await openDirectory(parts);
  const local = localVerifier(pool, cost, directory?.takesOver);
  const oldServer = openOldServer(parts, local, pool, cost);
  const others = [directory?.verifier, oldServer?.verifier].filter((verifier) => verifier !== undefined);
  return {
    verifiers: [appPassword, local, ...others],
    ready: local.ready,
    directory,
    directoryIsSilent: () => directory?.isSilent() === true,
    startRechecks: () => directory?.startRechecks(),
    async close() {
      oldServer?.close();
      await directory?.close();
    },
  };
}

function openOldServer(parts: ServiceParts, local: Verifier, pool: HashPool, cost: HashCost) {
  const { settings, store, clock, log } = parts;
  const { shadow: url, shadowCa, shadowDeadline: deadline } = settings;
  if (url === '') return undefined;
  const server = new OldServer({ url, ca: certificatesIn('shadowCa', shadowCa), deadline });
  log.warn({ url }, 'in the shadow of an old server: passwords that are refused here are tried there');
  const verifier = new ShadowVerifier({
    local,
    server,
    store,
    hash: (asked, password) => pool.run(() => hashPassword(password, cost), asked),
    namesCaseSensitive: settings.namesCaseSensitive,
    clock,
    onDifference: (difference) => log.warn(difference, 'the old server answers differently'),
  });
  return { verifier, close: () => server.close() };
}

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
