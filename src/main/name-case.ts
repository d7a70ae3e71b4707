import { SettingsFaulty } from '../settings/read.ts';
import { variableOf } from '../settings/table.ts';
import type { Store } from '../storage/store.ts';

/**
 * Refuses a store whose users were added under the other rule of case: it would not find them, or add some a second
 * time. Where nobody has been added yet, `mayAdd` has the store keep this rule. Throws {@link SettingsFaulty}.
 */
export async function agreeOnCase(store: Store, sensitive: boolean, mayAdd: boolean): Promise<void> {
  const kept = await store.read(({ users }) => users.namesCaseSensitive());
  if (kept === sensitive) return;
  const users = await store.read((unit) => unit.users.count());
  if (kept !== undefined && users > 0) throw otherRule(kept);
  if (mayAdd) await store.write((unit) => unit.users.setNamesCaseSensitive(sensitive));
}

function otherRule(kept: boolean): SettingsFaulty {
  const rule = kept ? 'differ by case' : 'do not differ by case';
  return new SettingsFaulty([
    `${variableOf('namesCaseSensitive')}: names of the users that are there ${rule}: set it to ${kept}`,
  ]);
}
