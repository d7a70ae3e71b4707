import type { Caller } from '../../core/answer.ts';
import type { BrowserContext } from '../../core/browser-context.ts';
import type { Change } from '../../core/domain/outcome.ts';
import type { TicketAndOwner, TicketState } from '../../core/domain/ticket.ts';
import type { User } from '../../core/domain/user.ts';
import type { ReadUnit, WriteUnit } from '../../core/storage/store.ts';
import type { Reader } from './layout.ts';
import type { Section } from './section.ts';
import type { Say } from './texts/texts.ts';

/** What the sections of the account page read with. */
export interface AccountContext {
  readonly caller: Caller;
  readonly browser: BrowserContext;
  readonly store: ReadUnit;
  /** Epoch milliseconds. */
  readonly now: number;
  ticketState(ticket: TicketAndOwner): TicketState;
}

/** A service that the user may open. */
export interface ServiceLink {
  readonly title: string;
  readonly address: string;
  /** The path of its picture at this service. Pages show no picture of other hosts. */
  readonly logo?: string | undefined;
}

/** What a capability shows of the user on the account page. */
export interface AccountShare {
  /** The services that it opens to the user; absent if it opens none to anybody. */
  readonly services?: readonly ServiceLink[] | undefined;
  sections(reader: Reader): readonly Section[];
  /** The credentials that sign in as the user without the password, in words. */
  signingIn(say: Say): readonly string[];
  /** A sentence about what stays with the user after "This was not me", if none of these is left. */
  staying(say: Say): string | undefined;
}

/** The sections of a capability on the account page. */
export interface AccountSections {
  /** Reads all that they show. It waits for nothing that the page reads, so an engine can send all reads together. */
  read(context: AccountContext): Promise<AccountShare>;
}

/** A credential of a user beside the password: a change of the password leaves it as it is. */
export interface OtherCredential {
  /** Names it in a form: first its kind, which only one capability has. */
  readonly text: string;
  /** Whether "This was not me" removes it unless the user objects. */
  readonly isTicked: boolean;
  label(say: Say): string;
  /** Removes it from the user. One that is gone already counts as removed. */
  remove(unit: WriteUnit, user: User): Promise<Change | undefined>;
}

/** The credentials beside the password that a capability gives to users. */
export interface OtherCredentials {
  ofUser(unit: ReadUnit, user: Pick<User, 'id'>): Promise<readonly OtherCredential[]>;
  /** The credential that a form names so; undefined if it is none of these. */
  named(text: string): OtherCredential | undefined;
}
