import { readFileSync, rmSync } from 'node:fs';
import { userKey } from '../../../../core/domain/user.ts';
import { FIRST_ADMINISTRATOR, initialPasswordIn } from '../../../../core/first-start.ts';
import { verifyStored } from '../../../../core/identity/verifiers/local.ts';
import type { Store } from '../../../../core/storage/store.ts';
import { visible } from '../../../../core/visible.ts';
import type { Runner } from '../../../../faces/cli/runner.ts';
import type { Terminal } from '../../../../faces/cli/terminal.ts';

/** Whether the file can be read and holds the current password of the first administrator. */
async function isInUse(file: string, store: Store): Promise<boolean> {
  let password: string;
  try {
    password = readFileSync(file, 'utf8').trimEnd();
  } catch {
    return false;
  }
  const user = await store.read(({ users }) => users.findByKey(userKey(FIRST_ADMINISTRATOR)));
  if (user?.passwordHash === undefined) return false;
  return (await verifyStored(user.passwordHash, password)) !== undefined;
}

function remove(file: string, { stderr }: Terminal): void {
  try {
    rmSync(file);
    stderr.write(`${visible(`Removed ${file}: the password in it has been changed.`)}\n`);
  } catch (error) {
    const why = (error as Error).message;
    stderr.write(
      `${visible(`${file} could not be removed: ${why}. The password in it has been changed: remove it by hand.`)}\n`,
    );
  }
}

/**
 * Runs `work`, which may change passwords on the store `here`; `here` is undefined if the store is elsewhere. Then removes the file with
 * the first administrator's password if it was correct before and no longer is. If that fails it prints a warning; `work` stays done.
 */
export async function removingStalePassword<T>(
  { here }: Pick<Runner, 'here'>,
  terminal: Terminal,
  work: () => Promise<T>,
): Promise<T> {
  if (here === undefined) return work();
  const file = initialPasswordIn(here.settings.data);
  const store = await here.store();
  const wasInUse = await isInUse(file, store);
  const outcome = await work();
  if (wasInUse && !(await isInUse(file, store))) remove(file, terminal);
  return outcome;
}
