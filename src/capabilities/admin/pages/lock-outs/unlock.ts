import type { LockOut } from '../../../../core/domain/lockout.ts';
import { isRefusal } from '../../../../core/domain/refusal.ts';
import { type AnyOperation, answer } from '../../../../core/operation.ts';
import { addressWith } from '../../../../faces/pages/console/addresses.ts';
import { changedAgain, changedThen, inConsole } from '../../../../faces/pages/console/change.ts';
import { consolePage } from '../../../../faces/pages/console/layout.ts';
import {
  changedNotice,
  changedSince,
  hiddenState,
  type ShownState,
  stateIn,
  stateMember,
} from '../../../../faces/pages/console/meanwhile.ts';
import { html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { form, type PageSent, page } from '../../../../faces/pages/page.ts';
import { confirmation } from '../../../../faces/pages/parts/form.ts';
import { USER_STATE } from '../../../people/pages/console/user-state.ts';
import lockOutDelete from '../../operations/admin/lockout.delete.ts';
import lockOutGet from '../../operations/admin/lockout.get.ts';
import { LOCK_OUTS, unlockAddress } from './rows.ts';

const common = { paths: ['/console/lock-outs/{userName}/unlock'], role: 'operator' } as const;

/** What the page shows: whether an administrator has locked the user, which is a lock that somebody wanted. */
const lockState = (lockOuts: readonly LockOut[]): ShownState => ({
  state: lockOuts.some(({ reason }) => reason === 'locked-by-hand') ? 'lockedByHand' : 'locked',
});

/** The question before a user is unlocked. `was` is what an older page showed, if it is not so any more. */
function unlockPage(reader: Reader, user: string, lockOuts: readonly LockOut[], was?: ShownState): PageSent {
  const { say } = reader;
  const now = lockState(lockOuts);
  const title = say('console.lockOuts.unlockName', { user });
  const sentence = say(
    lockOuts.length === 0 ? 'console.lockOuts.notLocked' : 'console.lockOuts.unlockSentence',
    { user },
  );
  const question = confirmation(reader, {
    sentence,
    submit: say('console.lockOuts.unlock'),
    action: unlockAddress(user),
    hidden: hiddenState(now),
    cancel: LOCK_OUTS,
  });
  const changed = was && changedNotice(reader, USER_STATE, { name: user, was, now });
  return consolePage(reader, { title, body: html`${changed}${question}`, current: LOCK_OUTS });
}

const ask = page({
  ...common,
  id: 'org/service/repository/portal/console/lock-outs/unlock.get',
  summary: 'Ask before a user is unlocked.',
  method: 'GET',
  input: lockOutGet.input,
  async perform(context) {
    const { userName: user } = context.input.path;
    const { reader, run } = inConsole(context);
    const found = await run(lockOutGet, { path: { userName: user } });
    if (isRefusal(found)) return found;
    return answer(unlockPage(reader, user, found.value));
  },
});

const unlock = page({
  ...common,
  id: 'org/service/repository/portal/console/lock-outs/unlock.post',
  summary: 'Unlock a user.',
  method: 'POST',
  input: { ...lockOutGet.input, body: form(stateMember) },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { path, body } = context.input;
    const found = await run(lockOutGet, { path });
    if (isRefusal(found)) return found;
    const was = stateIn(body);
    if (changedSince(was, lockState(found.value)).length > 0)
      return changedAgain(unlockPage(reader, path.userName, found.value, was));
    const outcome = await run(lockOutDelete, { path });
    if (isRefusal(outcome)) return outcome;
    return changedThen(addressWith(LOCK_OUTS, { done: 'unlocked' }), outcome);
  },
});

/** The page that asks before it unlocks a user, and the form that unlocks. */
export const unlockPages: readonly AnyOperation[] = [ask, unlock];
