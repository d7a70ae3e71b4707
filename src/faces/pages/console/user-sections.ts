import type { TicketOrigin } from '../../../core/domain/ticket.ts';
import type { User } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import type { HtmlValue } from '../html.ts';
import type { Reader } from '../layout.ts';
import type { Section } from '../section.ts';
import type { TextKey } from '../texts/texts.ts';

/** What the page of a user in the console has read itself. */
export interface UserOnPage {
  readonly user: User;
  /** Where the live tickets of the user come from. */
  readonly origins: readonly (TicketOrigin | undefined)[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What a capability shows of a user in the console. */
export type UserShare = (reader: Reader, page: UserOnPage) => readonly Section[];

/** The sections of a capability on the page of a user in the console. */
export interface UserSections {
  /** The texts after its changes of a user, by what the address of the page names. */
  readonly notices: Readonly<Record<string, TextKey>>;
  /** The buttons for its changes of the user, which administrators see. */
  actions(reader: Reader, user: User): HtmlValue;
  /** Reads all that the sections show. An engine can send the reads together with those of the page. */
  read(store: ReadUnit, user: User): Promise<UserShare>;
}
