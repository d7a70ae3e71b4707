import { cursorPage, cursorsOf } from '../../../../../core/domain/cursor.ts';
import { isRefusal } from '../../../../../core/domain/refusal.ts';
import { adminOperation, answer } from '../../../../../core/operation.ts';
import { limitIn, pageArguments, pageShown } from '../../../../../core/representations/admin/page.ts';
import { Type } from '../../../../../core/schema.ts';
import userGet from '../../../../people/operations/admin/users/user.get.ts';
import { findUser } from '../../../../people/rules/find-user.ts';
import { appPasswordJson, appPasswordShown } from '../../../representations/app-password.ts';
import { appPasswordsInUse } from '../../../rules/app-passwords-in-use.ts';

const CURSORS = cursorsOf('app passwords of a user', 'string');

/** Whether a name is behind another one in the order of code points, in which the store gives them. */
const isBehind = (name: string, last: string) => Buffer.compare(Buffer.from(name), Buffer.from(last)) > 0;

/** Specification, section 21: list the app passwords of a user. */
export default adminOperation({
  id: 'org/service/repository/admin/users/apppasswords.get',
  summary: 'List the app passwords of a user by name, without the passwords themselves.',
  method: 'GET',
  paths: ['/api/admin/users/{userName}/app-passwords'],
  role: 'operator',
  input: { path: userGet.input.path, query: Type.Object(pageArguments) },
  output: pageShown(appPasswordShown, appPasswordJson),
  refusals: ['user_not_found', 'argument_invalid', 'cursor_invalid'],
  async perform({ input: { path, query }, store, keyOf, ticketState }) {
    const user = await findUser(store, path.userName, keyOf);
    if (isRefusal(user)) return user;
    const after = CURSORS.read(query.cursor);
    if (isRefusal(after)) return after;
    const [last] = after ?? [];
    // A user has few, so the store gives all of them.
    const all = (await appPasswordsInUse(store, user, ticketState)) ?? [];
    const rows = last === undefined ? all : all.filter(({ name }) => isBehind(name, last));
    return answer(cursorPage(rows, limitIn(query), CURSORS, ({ name }) => [name] as const));
  },
});
