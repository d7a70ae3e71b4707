import type { Change } from '../../../core/domain/outcome.ts';
import { type User, userKey } from '../../../core/domain/user.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { inLanguage } from '../languages.ts';
import { isMailAddress } from '../settings.ts';

const HOUR = 3_600_000;
/** How many links one user gets in an hour, by the name and by the address together. */
const MOST_LINKS = 3;
/** How many profiles are compared with an address. Others begin with it only if their owners mean to be in the way. */
const MOST_COMPARED = 10;

const NOBODY = 0;

/** The user who has this address; undefined if no user or several users have it. */
async function ownerOf({ users, profiles }: RequestUnit, address: string): Promise<User | undefined> {
  // The address stands at the start of its line in what the search looks through.
  const candidates = await users.search({ part: `\n${address}` }, undefined, MOST_COMPARED);
  // One reading at least, and all at once, so that the time does not tell whether somebody has the address.
  const ids = candidates.length > 0 ? candidates.map(({ id }) => id) : [NOBODY];
  const found = await Promise.all(ids.map((id) => profiles.find(id)));
  const owners = candidates.filter((_user, at) => userKey(found[at]?.email ?? '') === userKey(address));
  return owners.length === 1 ? owners[0] : undefined;
}

type RequestUnit = Pick<ReadUnit, 'users' | 'profiles' | 'events'>;

/**
 * Records that a link was requested, for a user name or the address of a profile: the event makes the outbox send the mail. A text
 * of no user is recorded too, without the text, so that all answers take the same time. `isTaken` says whether text and address are
 * within their limits.
 */
export async function requestLink(
  unit: RequestUnit,
  { text, key }: { readonly text: string; readonly key: string },
  { isTaken, language, now }: { readonly isTaken: boolean; readonly language: string; readonly now: number },
): Promise<Change> {
  if (!isTaken) return { events: [] };
  const byAddress = isMailAddress(text) ? await ownerOf(unit, text) : undefined;
  const user = (await unit.users.findByKey(key)) ?? byAddress;
  const kind = 'password-reset-requested';
  const about = { user: user?.name ?? '', kind, since: now - HOUR, limit: MOST_LINKS } as const;
  if (user !== undefined && (await unit.events.latest(about)).length === MOST_LINKS) return { events: [] };
  return { events: [{ kind, user: user?.name, reason: inLanguage(language) }] };
}
