import { isRefusal } from '../../../domain/refusal.ts';
import { type AnyOperation, answer } from '../../../operation.ts';
import lockOutDelete from '../../../operations/admin/lockout.delete.ts';
import lockOutGet from '../../../operations/admin/lockout.get.ts';
import { form, page } from '../../page.ts';
import { confirmation } from '../../parts/form.ts';
import { addressWith } from '../addresses.ts';
import { changedThen, inConsole } from '../change.ts';
import { consolePage } from '../layout.ts';
import { LOCK_OUTS, unlockAddress } from './rows.ts';

const common = {
  paths: ['/console/lock-outs/{userName}/unlock'],
  authentication: 'admin',
  role: 'operator',
} as const;

const ask = page({
  ...common,
  id: 'org/service/repository/portal/console/lock-outs/unlock.get',
  summary: 'Ask before a user is unlocked.',
  method: 'GET',
  access: 'read',
  input: lockOutGet.input,
  async perform(context) {
    const { userName: user } = context.input.path;
    const { reader, run } = inConsole(context);
    const found = await run(lockOutGet, { path: { userName: user } });
    if (isRefusal(found)) return found;
    const { say } = reader;
    const title = say('console.lockOuts.unlockName', { user });
    const submit = say('console.lockOuts.unlock');
    const sentence = say(
      found.value.length === 0 ? 'console.lockOuts.notLocked' : 'console.lockOuts.unlockSentence',
      { user },
    );
    const action = unlockAddress(user);
    const body = confirmation(reader, { sentence, submit, action, cancel: LOCK_OUTS });
    return answer(consolePage(reader, { title, body, current: LOCK_OUTS }));
  },
});

const unlock = page({
  ...common,
  id: 'org/service/repository/portal/console/lock-outs/unlock.post',
  summary: 'Unlock a user.',
  method: 'POST',
  access: 'write',
  input: { ...lockOutGet.input, body: form({}) },
  async perform(context) {
    const { run } = inConsole(context);
    const made = await run(lockOutDelete, { path: context.input.path });
    if (isRefusal(made)) return made;
    return changedThen(addressWith(LOCK_OUTS, { done: 'unlocked' }), made);
  },
});

/** The page that asks before it unlocks a user, and the form that unlocks. */
export const unlockPages: readonly AnyOperation[] = [ask, unlock];
