import type { Change } from '../../../core/domain/outcome.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { inLanguage } from '../languages.ts';

/**
 * A request for a link of whatever name: its event has the mail sent. A name that nobody has leaves an event as well, without the
 * name, so that the answer takes as long. `isTaken`: whether name and address have had few enough requests.
 */
export async function requestLink(
  { users }: Pick<ReadUnit, 'users'>,
  key: string,
  { isTaken, language }: { readonly isTaken: boolean; readonly language: string },
): Promise<Change> {
  const user = await users.findByKey(key);
  if (!isTaken) return { events: [] };
  return { events: [{ kind: 'password-reset-requested', user: user?.name, reason: inLanguage(language) }] };
}
