import { isRefusal } from '../../../../core/domain/refusal.ts';
import { addressWith, userAddress } from '../../../../faces/pages/console/addresses.ts';
import type { ButtonChange, RunOperation } from '../../../../faces/pages/console/change.ts';
import userGet from '../../operations/admin/users/user.get.ts';
import { USER_STATE, userState } from './user-state.ts';

const AREA = 'users';

async function findUserName(run: RunOperation, name: string) {
  const found = await run(userGet, { path: { userName: name } });
  return isRefusal(found) ? found : { name: found.value.user.name, state: userState(found.value) };
}

/** The keys of the texts of a question. */
type QuestionName =
  | 'reset-second-factor'
  | 'disable'
  | 'lock'
  | 'end-ticket'
  | 'end-tickets'
  | 'remove-app-password'
  | 'remove';

/** The question before a change of a user. */
export const userQuestion = (what: QuestionName): ButtonChange['asks'] => ({
  texts: ({ say }, name, of) => ({
    title: say(`console.users.${what}.title`, { name }),
    sentence: say(`console.users.${what}.sentence`, { name, of }),
    submit: say(`console.users.${what}.submit`),
  }),
  typesName: what === 'remove',
});

type UserButton = Pick<ButtonChange, 'summary' | 'perform'> &
  Partial<Pick<ButtonChange, 'next' | 'asks' | 'role' | 'isAlwaysMeant'>>;

/** A change that leads back to the page of the user, with a notice of the same name. Administrators may make it. */
export const userChange = (what: string, described: UserButton): ButtonChange => ({
  area: AREA,
  what,
  role: 'administrator',
  find: findUserName,
  back: userAddress,
  texts: USER_STATE,
  next: (name) => addressWith(userAddress(name), { done: what }),
  ...described,
});
