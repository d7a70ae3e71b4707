import type { Logger } from 'pino';
import type { BrowserTools } from '../core/browser-context.ts';
import type { EventKind, RecordedEvent } from '../core/domain/event.ts';
import type { RequestClient } from '../core/domain/request-origin.ts';
import type { ProviderState } from '../core/domain/running-service.ts';
import type { FactorsOfPrograms } from '../core/domain/second-factor.ts';
import type { User } from '../core/domain/user.ts';
import type { Bookkeeping } from '../core/gate/bookkeeping.ts';
import type { DecideFirst, VerifyToken } from '../core/gate/call.ts';
import type { NodeFinder } from '../core/gate/operation-context.ts';
import type { TicketRules } from '../core/gate/tickets.ts';
import type { ClientAddresses } from '../core/http/client-address.ts';
import type { ServedHosts } from '../core/http/host.ts';
import type { MountedPart } from '../core/http/mounted.ts';
import type { ProxyRequests } from '../core/http/proxy-requests.ts';
import type { HashPool } from '../core/identity/hash-queue.ts';
import type { Passwords } from '../core/identity/passwords.ts';
import type { Verifier } from '../core/identity/verifiers/verifier.ts';
import type { AnyOperation, OperationTools } from '../core/operation.ts';
import type { SettingGroup, Settings } from '../core/settings/table.ts';
import type { Store, WriteUnit } from '../core/storage/store.ts';
import type { Sweep } from '../core/storage/sweep.ts';
import type { TakeOver } from '../core/storage/take-over.ts';
import type { MetricFigure } from '../core/telemetry/registry.ts';
import type { RequestTracing } from '../core/telemetry/request-tracing.ts';
import type { UnitTable } from '../engines/sql/statement.ts';
import type { DoctorCheck, DocumentLoaders } from '../faces/cli/doctor-check.ts';
import type { MakeCommand } from '../faces/cli/terminal.ts';
import type { AccountSections, OtherCredentials } from '../faces/pages/account-sections.ts';
import type { UserSections } from '../faces/pages/console/user-sections.ts';
import type { ConsoleSection } from '../faces/pages/layout.ts';

/** What all capabilities show on pages of others. */
export interface PageSections {
  readonly accountSections: readonly AccountSections[];
  readonly otherCredentials: readonly OtherCredentials[];
  readonly userSections: readonly UserSections[];
}

/**
 * What a capability adds to the service. `main/capabilities.ts` lists them: a capability is removed with its folder and its line
 * there. What is loaded on demand is a function that imports it.
 */
export interface Capability {
  /** The name of its folder. */
  readonly id: string;
  readonly settings?: SettingGroup;
  /** Where it keeps its data: members of units, which it declares for `ReadUnit` and `WriteUnit`. */
  readonly tables?: readonly UnitTable[];
  readonly operations?: () => Promise<readonly AnyOperation[]>;
  /** The pages for people, served with the portal. Those of the account and of a user show the sections of all. */
  readonly pages?: (sections: PageSections) => Promise<readonly AnyOperation[]>;
  /** What it shows of the user on the account page. */
  readonly accountSections?: () => Promise<AccountSections>;
  /** The credentials that it gives to users: "This was not me" lists and removes them. */
  readonly otherCredentials?: () => Promise<OtherCredentials>;
  /** What it shows of a user in the console. */
  readonly userSections?: () => Promise<UserSections>;
  /** The commands by their names. */
  readonly commands?: Readonly<Record<string, () => Promise<MakeCommand>>>;
  /** What it removes of a local user whom a person at a provider takes over. */
  readonly takeOver?: () => Promise<TakeOver>;
  /** What it gives to every operation by the settings alone, without being opened: commands work with it, too. */
  readonly operationTools?: (settings: Settings) => Partial<OperationTools>;
  /** Opens it when a service starts; undefined if the settings do not ask for it. Throws if it cannot work as it is set. */
  readonly open?: (parts: OpeningParts, before: OpenedBefore) => Promise<OpenedCapability | undefined>;
  /** What the sweeper removes of its data when the time is over. */
  readonly sweep?: () => Promise<Sweep>;
  /** The documents of operators that its settings name. */
  readonly documents?: () => Promise<DocumentLoaders>;
  /** What the doctor examines. */
  readonly checks?: () => Promise<readonly DoctorCheck[]>;
}

/** What a capability is opened with. */
export interface OpeningParts {
  readonly settings: Settings;
  /** Whether this process sweeps: one process of a service does so, and does what only one may do. */
  readonly sweeps: boolean;
  readonly store: Store;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onFault: (fault: unknown) => void;
  /** The environment variables of OpenTelemetry, by their names. */
  readonly openTelemetry: Readonly<Record<string, string | undefined>>;
  readonly bookkeeping: Bookkeeping;
  readonly ticketRules: TicketRules;
  readonly hashPool: HashPool;
  /** Checks the passwords that the store has. */
  readonly localVerifier: Verifier;
  /** What capabilities remove of a local user whom a person at a provider takes over. */
  readonly takeOvers: readonly TakeOver[];
}

/** A part of this service that acts upon events. A delivery is kept in the transaction of its event, and made until it succeeds. */
export interface EventReceiver {
  /** Its name in commands and metrics, which no receiver in a document can have. */
  readonly id: string;
  readonly kinds: readonly EventKind[];
  /** Acts upon an event, perhaps again. Returns why that did not succeed. `stopped` ends it early. */
  receive(
    event: Omit<RecordedEvent, 'digest'>,
    stopped: AbortSignal,
  ): Promise<string | undefined | ReceivedOutcome>;
}

/** What came of an event at its receiver, if it is more than a fault. */
export interface ReceivedOutcome {
  readonly fault: string | undefined;
  /** Whether no further attempt can succeed: the delivery is given up. */
  readonly isFinal?: boolean;
  /** Whether the event asked for nothing, so that no attempt was made. */
  readonly isNothing?: boolean;
  /** Writes what belongs to the outcome, in the same unit. */
  readonly write?: (unit: WriteUnit, isGivenUp: boolean) => Promise<void>;
}

/** What the capabilities that were opened before give to the next one. */
export interface OpenedBefore {
  readonly factorsOfPrograms: FactorsOfPrograms;
  /** What this process knows of the directory or identity provider with this id. */
  providerState(id: string): ProviderState;
  readonly eventReceivers: readonly EventReceiver[];
  readonly operationTools: Partial<OperationTools>;
}

/** How requests arrive, for a capability that answers proxies. */
export interface ProxyFront {
  readonly addresses: ClientAddresses;
  readonly hosts: ServedHosts;
}

/** What a part that answers below a prefix by itself is served with. */
export interface MountedFront {
  /** The password check, for requests of this client. */
  passwordsFrom(client: RequestClient): Passwords;
}

/** A capability of a running service: what it gives to it, and how it stops. Each member is missing where it has nothing to give. */
export interface OpenedCapability {
  readonly operationTools?: Partial<OperationTools>;
  readonly browserTools?: Partial<BrowserTools>;
  /** Its sections of the console, as far as the settings ask for them. Their pages are there in any case. */
  readonly consoleSections?: readonly ConsoleSection[];
  /** Operations that the service serves and describes neither in the index nor in OpenAPI, such as those of SCIM. */
  readonly operations?: readonly AnyOperation[];
  /** A further way to check passwords. */
  readonly verifier?: Verifier;
  /** Whether its verifier is asked about a wrong password of this local user. */
  readonly takesOver?: (user: User) => boolean;
  /** How the password check treats programs of users with and without a second factor. */
  readonly factorsOfPrograms?: FactorsOfPrograms;
  readonly verifyToken?: VerifyToken;
  /** What it knows of a directory or identity provider of its own; undefined for one of others. */
  readonly providerState?: (id: string) => ProviderState | undefined;
  readonly nodes?: NodeFinder;
  readonly eventReceiver?: EventReceiver;
  readonly decideFirst?: DecideFirst;
  readonly proxyRequests?: (front: ProxyFront) => ProxyRequests;
  readonly tracing?: RequestTracing;
  /** A part of the service that answers below a prefix by itself. */
  readonly mounted?: (front: MountedFront) => MountedPart;
  /** Its figures in the state of the service, by their names there. */
  readonly counts?: () => Readonly<Record<string, number>>;
  readonly figures?: readonly MetricFigure[];
  /** Loads its documents again. */
  reload?(): void;
  /** Begins what it does in the background, once the service listens. */
  start?(): void;
  /** Ends all of that. No request is served any more. */
  stop?(): Promise<void> | void;
}
