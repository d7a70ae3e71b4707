import { isRefusal } from '../../../../core/domain/refusal.ts';
import { form, page, seeOther } from '../../../../faces/pages/page.ts';
import { oldAndNewPassword } from '../../../../faces/pages/parts/password-form.ts';
import { proveFirst } from '../../../../faces/pages/proof.ts';
import { changeOwnPassword, prepareOwnPassword } from '../../rules/own-password.ts';
import { isUnproved, PASSWORD_PAGE } from './password.get.ts';
import { refusedPasswordChange } from './password-view.ts';

/**
 * Changes the own password (specification, section 18). All tickets of the user end but that of this browser. A user with a second
 * factor proves before that who it is.
 */
export default page({
  id: 'org/service/repository/portal/account/password.post',
  summary: 'Change the own password.',
  method: 'POST',
  paths: ['/account/password'],
  authentication: 'user',
  input: { body: form(oldAndNewPassword) },
  refusedHtml: refusedPasswordChange,
  prepare: ({ input: { body }, caller, browser, passwords, passwordsElsewhere }) =>
    prepareOwnPassword(passwords, caller.user.name, body, {
      passwordsElsewhere,
      mayChange: async (store) => !(await isUnproved({ caller, browser, store })),
    }),
  async perform(context) {
    const { prepared, caller, confirm, store, passwordPages } = context;
    if (!prepared.isWritten && (await isUnproved(context))) return proveFirst(PASSWORD_PAGE);
    const outcome = await changeOwnPassword(store, prepared, confirm, caller.heldTicket, passwordPages);
    if (isRefusal(outcome)) return outcome;
    return seeOther('/portal/account?done=password', { changes: outcome.events });
  },
});
