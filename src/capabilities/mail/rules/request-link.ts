import type { Change } from '../../../core/domain/outcome.ts';
import type { ReadUnit } from '../../../core/storage/store.ts';
import { inLanguage } from '../languages.ts';

/**
 * Records that a link was requested: the event makes the outbox send the mail. A name without a user is recorded too, without the
 * name, so that both answers take the same time. `isTaken` says whether name and address are within their limits.
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
