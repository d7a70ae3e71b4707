import type { Role } from '../domain/role.ts';
import type { TextKey } from './texts/texts.ts';

/** A section of the console, as its navigation lists it. */
export interface ConsoleSection {
  readonly to: `/portal/console${string}`;
  readonly text: TextKey;
  /** The least role that may see it. */
  readonly role: Role;
}

/** The sections of the console, in the order of the navigation. */
export const CONSOLE_SECTIONS: readonly ConsoleSection[] = [
  { to: '/portal/console', text: 'console.start', role: 'auditor' },
];
