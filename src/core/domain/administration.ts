import type { KeyRole } from './role.ts';
import type { Holder } from './user.ts';

/** The caller of administration: a user, or a machine with an API key. */
export interface Actor {
  /** As events name it: the name of the user, or `key:` and the name of the key. No name of a user has a colon. */
  readonly name: string;
  readonly role: KeyRole;
  /** Undefined for an API key. */
  readonly user?: Holder | undefined;
  /** Whether it is the operator on the machine of the service, who can make another administrator at any time. */
  readonly onMachine?: true;
}

/** How a request arrived at the service. */
export interface Arrival {
  /** The client address, as throttle and events know it. */
  readonly address: string;
  /** The scheme and host that the client used, such as `https://tickets.example.org`. */
  readonly origin: string;
  /** Whether a trusted proxy passed it on, whose headers are believed. */
  readonly byProxy: boolean;
}

/** An API key as events name it. */
export function actorOfKey(name: string): string {
  return `key:${name}`;
}
