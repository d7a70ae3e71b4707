import { changePages } from '../../../../faces/pages/console/change.ts';
import { userChange, userQuestion } from '../../../people/pages/console/user-changes.ts';
import appPasswordDelete from '../../operations/admin/users/apppassword.delete.ts';
import secondFactorDelete from '../../operations/admin/users/secondfactor.delete.ts';

/** The pages of changes of a user's factors by a button. */
export default [
  userChange('reset-second-factor', {
    summary: 'Remove all second factors of a user.',
    asks: userQuestion('reset-second-factor'),
    perform: (run, userName) => run(secondFactorDelete, { path: { userName } }),
  }),
  userChange('remove-app-password', {
    summary: 'Remove an app password of a user.',
    asks: userQuestion('remove-app-password'),
    isAlwaysMeant: true,
    perform: (run, userName, appPassword) => run(appPasswordDelete, { path: { userName, appPassword } }),
  }),
].flatMap(changePages);
