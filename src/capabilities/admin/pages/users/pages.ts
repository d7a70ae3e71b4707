import type { AnyOperation } from '../../../../core/operation.ts';
import appPasswordPages from '../../../factors/pages/console/app-passwords.ts';
import addPages from './add.ts';
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
