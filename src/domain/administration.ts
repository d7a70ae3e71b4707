import type { Role } from './role.ts';
import type { Holder } from './user.ts';

/** The caller of administration: a user, or a machine with an API key. */
export interface Actor {
  /** As events name it: the name of the user, or `key:` and the name of the key. No name of a user has a colon. */
  readonly name: string;
  readonly role: Role;
  /** Undefined for an API key. */
  readonly user?: Holder | undefined;
}

/** An API key as events name it. */
export function actorOfKey(name: string): string {
  return `key:${name}`;
}
