import type { AnyOperation } from '../../../operation.ts';
import addPages from './add.ts';
import appPasswordPages from './app-passwords.ts';
import changes from './changes.ts';
import editPages from './edit.ts';
import passwordPages from './password.ts';
import userGet from './user.get.ts';
import usersGet from './users.get.ts';

/** The pages about users. */
export const USER_PAGES: readonly AnyOperation[] = [
  ...[usersGet, userGet],
  ...addPages,
  ...editPages,
  ...passwordPages,
  ...appPasswordPages,
  ...changes,
];
