import type { TicketLimits } from './ticket.ts';

/** A setting in force. */
export interface ShownSetting {
  /** Its environment variable. */
  readonly name: string;
  /** As it was written; `***` if it is secret. */
  readonly value: string;
  /** Where it was given: a flag, a variable, the settings file, or `default`. */
  readonly from: string;
  /** The heading of its group, and its sentence in the reference. */
  readonly group: string;
  readonly help: string;
}

/** The state of a running service, besides its store, as administrators see it. */
export interface RunningService {
  readonly version: string;
  readonly settings: readonly ShownSetting[];
  /** The engine that keeps users, groups and events, and the one that keeps tickets. */
  readonly engines: { readonly database: StorageEngine; readonly tickets: StorageEngine };
  readonly ticketLimits: TicketLimits;
  /** Whether logins with a name that no user has are passed on to the server that Tessera replaces. */
  readonly asksOldServer: boolean;
  /** Whether logins with a name that no user has are passed on to a directory. */
  readonly asksDirectory: boolean;
  /** What this process knows of the directory (`ldap`) or the identity provider with this id. */
  providerState(id: string): ProviderState;
  /** Live tickets of the whole store, as they were counted last; undefined if another process counts them. */
  liveTickets(): number | undefined;
  /** Logins of this process that wait for their password hash. */
  hashesWaiting(): number;
  /** The figures of capabilities, by their names in the state of the service. */
  counts(): Readonly<Record<string, number>>;
}

/**
 * What a process knows of a directory or an identity provider: whether the settings have it, and whether it answered when it was
 * asked last.
 */
export type ProviderState = 'on' | 'off' | 'silent';

export type StorageEngine = 'sqlite' | 'postgresql' | 'redis';
