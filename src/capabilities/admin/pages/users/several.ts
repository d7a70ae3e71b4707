import type { ChangeEvent } from '../../../../core/domain/event.ts';
import { isRefusal, refuse } from '../../../../core/domain/refusal.ts';
import { answer } from '../../../../core/operation.ts';
import { oneOf } from '../../../../core/representations/admin/one-of.ts';
import { Type } from '../../../../core/schema.ts';
import {
  changedThen,
  inConsole,
  type RunOperation,
  refusedAgain,
} from '../../../../faces/pages/console/change.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { form, page } from '../../../../faces/pages/page.ts';
import { sentenceOf } from '../../../../faces/pages/refusal-page.ts';
import groupGet from '../../../people/operations/admin/groups/group.get.ts';
import memberUserPut from '../../../people/operations/admin/groups/memberuser.put.ts';
import userGet from '../../../people/operations/admin/users/user.get.ts';
import userPatch from '../../../people/operations/admin/users/user.patch.ts';
import ticketsDelete from '../../operations/admin/users/tickets.delete.ts';
import {
  BACK,
  backTo,
  type ChosenUser,
  chosenIn,
  notChosenPage,
  SEVERAL_CHANGES,
  type SeveralChange,
  severalPage,
  type Unchanged,
  unchangedPage,
} from './several-view.ts';

/** So many users are changed at once. */
const MOST = 100;

const common = { role: 'operator', method: 'POST' } as const;
const members = {
  what: oneOf(SEVERAL_CHANGES, { description: 'What is done.' }),
  [BACK]: Type.Optional(Type.String({ description: 'The page of the list, as its query has it.' })),
};

/** The page that says whom to choose; undefined if the choice is right. */
function faultOf(reader: Reader, chosen: readonly ChosenUser[], back: string | undefined) {
  const { say } = reader;
  if (chosen.length === 0) return refusedAgain(notChosenPage(reader, say('console.several.none'), back));
  if (chosen.length <= MOST) return undefined;
  return refusedAgain(notChosenPage(reader, say('console.several.tooMany', { most: MOST }), back));
}

function change(run: RunOperation, what: SeveralChange, userName: string, group: string) {
  switch (what) {
    case 'end-tickets':
      return run(ticketsDelete, { path: { userName } });
    case 'join-group':
      return run(memberUserPut, { path: { group, userName } });
    default:
      return run(userPatch, { path: { userName }, body: { disabled: what === 'disable' } });
  }
}

/** Changes a user, unless the name is another user's since the list was shown. */
async function changeChosen(run: RunOperation, { name, id }: ChosenUser, what: SeveralChange, group: string) {
  const found = await run(userGet, { path: { userName: name } });
  if (isRefusal(found)) return found;
  if (String(found.value.user.id) !== id) return refuse('user_not_found', { detail: name });
  return change(run, what, name, group);
}

const ask = page({
  ...common,
  id: 'org/service/repository/portal/console/users/several.post',
  summary: 'Ask before several users are changed.',
  paths: ['/console/change-users'],
  access: 'read',
  input: { body: form(members) },
  perform(context) {
    const { reader } = inConsole(context);
    const { body } = context.input;
    const chosen = chosenIn(body);
    const { what, back } = body;
    return faultOf(reader, chosen, back) ?? answer(severalPage(reader, what, chosen, { back }));
  },
});

const confirmed = page({
  ...common,
  id: 'org/service/repository/portal/console/users/several-confirmed.post',
  summary: 'Change several users.',
  paths: ['/console/change-users/confirmed'],
  access: 'write',
  input: { body: form({ ...members, group: Type.Optional(Type.String()) }) },
  async perform(context) {
    const { reader, run } = inConsole(context);
    const { what, back, group = '', ...body } = context.input.body;
    const chosen = chosenIn(body);
    const fault = faultOf(reader, chosen, back);
    if (fault !== undefined) return fault;
    const joined = what === 'join-group' ? await run(groupGet, { path: { group } }) : undefined;
    if (isRefusal(joined))
      return refusedAgain(
        severalPage(reader, what, chosen, { back, group, fault: sentenceOf(reader, joined) }),
      );
    const changes: ChangeEvent[] = [];
    const unchanged: Unchanged[] = [];
    for (const user of chosen) {
      const isOwn = what === 'disable' && user.id === String(context.actor.user?.id);
      const outcome = isOwn ? undefined : await changeChosen(run, user, what, group);
      if (outcome === undefined) unchanged.push({ ...user, why: reader.say('console.several.yourself') });
      else if (!isRefusal(outcome)) changes.push(...outcome.changes);
      else if (outcome.refused === 'role_needed') return outcome;
      else unchanged.push({ ...user, why: sentenceOf(reader, outcome) });
    }
    if (unchanged.length === 0) return changedThen(backTo(back, 'several'), { changes });
    const changed = chosen.length - unchanged.length;
    const sent = unchangedPage(reader, unchanged, changed, back);
    return changed === 0 ? refusedAgain(sent) : { ...answer(sent), changes };
  },
});

/** The page that asks before several users are changed, and the one that changes them, each by the operation for one. */
export default [ask, confirmed];
