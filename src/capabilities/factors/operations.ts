import type { AnyOperation } from '../../core/operation.ts';
import adminAppPasswordDelete from './operations/admin/users/apppassword.delete.ts';
import adminAppPasswordsGet from './operations/admin/users/apppasswords.get.ts';
import adminAppPasswordsPost from './operations/admin/users/apppasswords.post.ts';
import adminSecondFactorDelete from './operations/admin/users/secondfactor.delete.ts';
import adminSecondFactorGet from './operations/admin/users/secondfactor.get.ts';

/** The operations of this capability that the description of the service shows. */
export const OPERATIONS: readonly AnyOperation[] = [
  adminAppPasswordsGet,
  adminAppPasswordsPost,
  adminAppPasswordDelete,
  adminSecondFactorGet,
  adminSecondFactorDelete,
];
