import type { AnyOperation } from '../../../../core/operation.ts';
import type { UserSections } from '../../../../faces/pages/console/user-sections.ts';
import addPages from './add.ts';
import changes from './changes.ts';
import editPages from './edit.ts';
import passwordPages from './password.ts';
import severalPages from './several.ts';
import { userGet } from './user.get.ts';
import usersGet from './users.get.ts';

/** The pages about users, with these sections on the page of one. */
export const userPages = (sections: readonly UserSections[]): readonly AnyOperation[] => [
  usersGet,
  userGet(sections),
  ...addPages,
  ...editPages,
  ...passwordPages,
  ...changes,
  ...severalPages,
];
