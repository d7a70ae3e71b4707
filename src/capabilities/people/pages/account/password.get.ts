import { answer } from '../../../../core/operation.ts';
import { page } from '../../../../faces/pages/page.ts';
import { givesFactor, provedRecently, proveFirst } from '../../../../faces/pages/proof.ts';
import { userReader } from '../../../../faces/pages/reader.ts';
import { changesAt } from '../../rules/passwords-elsewhere.ts';
import { passwordElsewherePage, passwordPage } from './password-view.ts';

export const PASSWORD_PAGE = '/portal/account/password';

/** Whether a user with a second factor has to prove first who it is: the old password alone would get around that factor. */
export const isUnproved = async (context: Parameters<typeof givesFactor>[0]): Promise<boolean> =>
  !provedRecently(context) && (await givesFactor(context));

/**
 * Asks for the old and the new password (specification, section 18), or tells where it is changed (section 22): a directory or
 * an identity provider may have it.
 */
export default page({
  id: 'org/service/repository/portal/account/password.get',
  summary: 'Show the form for a new password.',
  method: 'GET',
  paths: ['/account/password'],
  authentication: 'user',
  input: {},
  async perform(context) {
    const [reader, user] = await Promise.all([
      userReader(context),
      context.store.users.find(context.caller.user.id),
    ]);
    const provider = user?.provider;
    const isElsewhere = changesAt(context.passwordsElsewhere, provider);
    if (provider === undefined || isElsewhere) {
      if (await isUnproved(context)) return proveFirst(PASSWORD_PAGE);
      return answer({ text: passwordPage(reader, { isElsewhere }) });
    }
    const address = context.passwordPages[provider];
    return answer({ text: passwordElsewherePage(reader, provider, address) });
  },
});
