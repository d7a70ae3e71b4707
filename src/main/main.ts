import type { Logger } from 'pino';
import type { Capability } from '../capabilities/capability.ts';
import type { User } from '../core/domain/user.ts';
import { type Announcement, makeFirstAdministrator } from '../core/first-start.ts';
import { Bookkeeping } from '../core/gate/bookkeeping.ts';
import type { InheritedPlace } from '../core/http/inherited-socket.ts';
import type { MetricsParts } from '../core/http/metrics-server.ts';
import type { CertificateKeeper } from '../core/http/tls/certificate.ts';
import { faultOfBreachedFile } from '../core/identity/breached-passwords.ts';
import { hashPoolFor } from '../core/identity/hash-queue.ts';
import { PasswordJudge } from '../core/identity/password-judge.ts';
import { localVerifier } from '../core/identity/verifiers/local.ts';
import { everyAddressTrusted } from '../core/settings/dangerous-settings.ts';
import { hashCostIn, lifetimeIn, publicPlaceIn } from '../core/settings/derived.ts';
import { type SettingInEffect, SettingsFaulty } from '../core/settings/read.ts';
import { type Settings, variableOf } from '../core/settings/table.ts';
import { type OpenedStore, sentenceOf } from '../core/storage/opened-store.ts';
import type { Store } from '../core/storage/store.ts';
import { Sweeper } from '../core/storage/sweep.ts';
import { faultLogger, openLog } from '../core/telemetry/log.ts';
import { Metrics } from '../core/telemetry/metrics.ts';
import { VERSION } from '../core/version.ts';
import { servedWith } from '../faces/description/served.ts';
import {
  allServed,
  gateOver,
  lowerHashPriority,
  type OwnParts,
  passwordCheckOver,
  type ServiceParts,
  ticketRulesIn,
} from './assembly.ts';
import { CAPABILITIES } from './capabilities.ts';
import { certificateKeeper, warnOfPlainHttp } from './certificate.ts';
import { type OpenedServers, openServers } from './listening.ts';
import { OpenedCapabilities } from './opened-capabilities.ts';
import { operations } from './operations.ts';
import { Readiness } from './readiness.ts';
import { openStore } from './store.ts';

/** A running service. */
export interface Service {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly metricsUrl: string | undefined;
  /** What the metrics port serves. */
  readonly watched: MetricsParts;
  /**
   * Makes ready for a stop without a failed request behind a proxy: says that it is not ready, serves on for the delay that
   * is set, takes no new connections, and lets clients use up the open ones, for 5 s at most.
   */
  drain(): Promise<void>;
  /** Takes no new connections, finishes requests in flight, writes what is buffered, and closes the store. */
  stop(): Promise<void>;
  /** Loads the action definitions, the content model, the rules of the gate, the providers and the certificate again. */
  reload(): void;
}

/** A service that is one process. */
export interface OneProcess extends Service {
  /** The first step of {@link drain}: says from now on that it is not ready. */
  beNotReady(): void;
  /** Takes no new connections. Open ones are served until the service is stopped. */
  listenNoMore(): void;
  /** The last step of {@link drain}: closes each connection after its next answer, and waits until none is left. */
  useUp(): Promise<void>;
}

/** What a service is started with, besides its settings. */
export interface Surroundings {
  /** Whether a person reads what is printed, so that a password may be shown. */
  readonly onTerminal: boolean;
  /**
   * Called as soon as the first administrator is made. Show the password at once: the start may still fail after this,
   * and the password is shown only here.
   */
  readonly onAdministrator?: (announcement: Announcement) => void;
  readonly store?: Store;
  readonly log?: Logger;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
  /** Threads of Node's pool, if that is known (`UV_THREADPOOL_SIZE`). */
  readonly threads?: number | undefined;
  /** Whether this process sweeps dead tickets and old events (the default), or another process of the service does. */
  readonly sweeps?: boolean;
  /** The socket that was passed to the process. The service then listens on it, and not where its settings say. */
  readonly inherited?: InheritedPlace | undefined;
  /** The variables by which requests are traced; by default none is. */
  readonly openTelemetry?: OwnParts['openTelemetry'];
  /** What administrators are shown of the settings; nothing by default. */
  readonly inEffect?: readonly SettingInEffect[] | undefined;
  /** Parts that replace those of the service: a simulation decides when slow work ends, and what is drawn. */
  readonly replacements?: Partial<Pick<OwnParts, 'hashPool' | 'passwordJudge' | 'ticketRules'>>;
}

/** Start here: settings → store → identity → first administrator → listen → stop. Throws an error with a sentence for the operator. */
export async function startService(settings: Settings, surroundings: Surroundings): Promise<OneProcess> {
  const parts = await openParts(settings, surroundings);
  try {
    return await startOn(parts, surroundings);
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
}

/** Opens the store and the capabilities: everything that a gate is made of. Throws an error with a sentence for the operator. */
export async function openParts(settings: Settings, surroundings: Surroundings): Promise<ServiceParts> {
  const { log = openLog(settings.logLevel) } = surroundings;
  await assertBreachedFile(settings);
  const opened: OpenedStore | undefined = surroundings.store && { store: surroundings.store };
  const { store, warnings = [], clock = Date.now } = opened ?? (await openStore(settings, 'service'));
  for (const warning of [...warnings, ...dangersFor(settings, surroundings)]) log.warn(warning);
  const capabilities = new OpenedCapabilities();
  try {
    const own = { settings, store, clock: surroundings.clock ?? clock, log, capabilities };
    const parts = { ...(await ownPartsOf(own, surroundings)), capabilities };
    await capabilities.open(CAPABILITIES, parts);
    return { ...parts, operations: servedWith(settings, operations) };
  } catch (error) {
    await closeParts({ capabilities, store, log });
    throw error;
  }
}

async function closeParts({
  capabilities,
  store,
  log,
}: Pick<ServiceParts, 'capabilities' | 'store' | 'log'>): Promise<void> {
  await capabilities.stop().catch(faultLogger(log));
  await store.close();
}

/** Creates what capabilities are opened with. */
async function ownPartsOf(
  own: Pick<ServiceParts, 'settings' | 'store' | 'clock' | 'log' | 'capabilities'>,
  { sweeps = true, openTelemetry = {}, inEffect = [], threads, replacements = {} }: Surroundings,
): Promise<OwnParts> {
  const { settings, store, clock, log, capabilities } = own;
  const onFault = faultLogger(log);
  const hashPool = replacements.hashPool ?? hashPoolFor(settings.hashDeadline, settings.workers, threads);
  const takesOver = (user: User) => capabilities.each('takesOver').some((isTaken) => isTaken(user));
  return {
    settings,
    inEffect,
    sweeps,
    store,
    log,
    clock,
    onFault,
    openTelemetry,
    hashPool,
    readiness: new Readiness(own),
    passwordJudge: replacements.passwordJudge ?? new PasswordJudge(),
    bookkeeping: new Bookkeeping(store, lifetimeIn(settings), onFault, settings.audit === 'required'),
    ticketRules: replacements.ticketRules ?? ticketRulesIn(settings, clock),
    localVerifier: localVerifier(hashPool, hashCostIn(settings), takesOver),
    takeOvers: await takeOversOf(CAPABILITIES),
  };
}

/** What capabilities remove of a local user whom a person at a provider takes over. */
const takeOversOf = async (capabilities: readonly Capability[]) =>
  (await Promise.all(capabilities.map(({ takeOver }) => takeOver?.() ?? []))).flat();

/** The warnings about dangerous settings. One process of a service gives them for all. */
function dangersFor(settings: Settings, { sweeps = true }: Surroundings): readonly string[] {
  const danger = sweeps ? everyAddressTrusted(settings) : undefined;
  return danger === undefined ? [] : [sentenceOf(danger)];
}

/** Refuses a start with a file of breached passwords that cannot be read. */
async function assertBreachedFile({ breachedPasswords }: Settings): Promise<void> {
  const fault = breachedPasswords === '' ? undefined : await faultOfBreachedFile(breachedPasswords);
  if (fault !== undefined) throw new SettingsFaulty([`${variableOf('breachedPasswords')}: ${fault}`]);
}

/** Makes the first administrator if there is no user, and reports it. Throws `CannotListen` before, if the port is taken. */
async function firstAdministrator(
  { store, settings, clock }: ServiceParts,
  surroundings: Surroundings,
  servers: OpenedServers,
): Promise<void> {
  if ((await store.read((unit) => unit.users.count())) > 0) return;
  await servers.assertPortFree();
  const { onTerminal, onAdministrator } = surroundings;
  const announcement = await makeFirstAdministrator(store, settings, hashCostIn(settings), onTerminal, clock);
  if (announcement !== undefined) onAdministrator?.(announcement);
}

/** The sweeper of everything that the store keeps for a time. */
async function sweeperOver(parts: ServiceParts): Promise<Sweeper> {
  const { eventsKeep } = parts.settings;
  const ofCapabilities = await Promise.all(CAPABILITIES.map(({ sweep }) => sweep?.() ?? []));
  const sweeps = ofCapabilities.flat();
  return new Sweeper({ ...parts, lifetime: lifetimeIn(parts.settings), eventsKeep, sweeps });
}

/** The figures of this process, for metrics and administrators. */
function sourcesOf(
  { clock, sweeps, capabilities, hashPool }: ServiceParts,
  sweeper: Sweeper,
  certificate: CertificateKeeper | undefined,
) {
  return {
    liveTickets: () => sweeper.liveTickets,
    hashesWaiting: () => hashPool.waiting,
    clock,
    sweptAt: sweeps ? () => sweeper.sweptAt : undefined,
    certificateEnd: certificate && (() => certificate.current.leaf.validToDate.getTime()),
    figures: capabilities.each('figures').flat(),
  };
}

async function startOn(parts: ServiceParts, surroundings: Surroundings): Promise<OneProcess> {
  const { settings, sweeps, store, log, capabilities, bookkeeping } = parts;
  const certificate = certificateKeeper(parts);
  const sweeper = await sweeperOver(parts);
  const sources = sourcesOf(parts, sweeper, certificate);
  const metrics = new Metrics(
    sources,
    allServed(parts).map(({ id }) => id),
  );
  let servers: OpenedServers | undefined;
  const stop = async () => {
    await servers?.stop();
    certificate?.close();
    await Promise.all([sweeper.stop(), parts.passwordJudge.close()]);
    await bookkeeping.close();
    await capabilities.stop().catch(parts.onFault);
    await store.close();
    log.info('stopped');
  };
  try {
    const passwords = passwordCheckOver(parts, metrics);
    const gate = gateOver(parts, passwords, sources);
    servers = await openServers(
      parts,
      { gate, passwords, metrics, certificate },
      surroundings.inherited ?? publicPlaceIn(settings),
    );
    await parts.localVerifier.ready;
    lowerHashPriority();
    await firstAdministrator(parts, surroundings, servers);
    // Only now: an earlier login would be refused as one of an unknown user.
    const url = await servers.listen();
    if (sweeps) sweeper.start();
    capabilities.start();
    const { metricsUrl, watched, beNotReady, listenNoMore, drain, useUp } = servers;
    log.info({ url, metricsUrl, version: VERSION }, 'listening');
    warnOfPlainHttp(url, settings, log);
    const reload = () => {
      capabilities.reload();
      certificate?.reload();
    };
    return { url, metricsUrl, watched, beNotReady, listenNoMore, drain, useUp, stop: once(stop), reload };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Does the work once. Each call returns the same promise. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
