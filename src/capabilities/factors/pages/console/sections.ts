import { isPasswordless } from '../../../../core/domain/user.ts';
import { addressWith, userAddress } from '../../../../faces/pages/console/addresses.ts';
import { card, dangerButton, isAdministrator, linkButton } from '../../../../faces/pages/console/parts.ts';
import type { UserSections } from '../../../../faces/pages/console/user-sections.ts';
import type { Html } from '../../../../faces/pages/html.ts';
import type { Reader } from '../../../../faces/pages/layout.ts';
import { type AppPasswordInUse, withTickets } from '../../rules/app-passwords-in-use.ts';
import { appPasswordTable } from '../app-passwords/list-view.ts';
import { addAddress } from './app-passwords.ts';

/** The app passwords of a user. `now` is in epoch milliseconds. */
function appPasswordsCard(
  reader: Reader,
  userName: string,
  appPasswords: readonly AppPasswordInUse[],
  now: number,
): Html {
  const { say } = reader;
  const mayChange = isAdministrator(reader);
  const removal = (of: string) => addressWith(`${userAddress(userName)}/remove-app-password`, { of });
  return card(
    say('appPasswords.title'),
    appPasswordTable(reader, { appPasswords, now, removal: mayChange ? removal : undefined }),
    mayChange && linkButton(addAddress(userName), say('appPasswords.add')),
  );
}

/** The app passwords of a user, and the button that removes all second factors. */
export const userSections: UserSections = {
  notices: {
    'reset-second-factor': 'console.users.done.resetSecondFactor',
    'remove-app-password': 'console.users.done.removeAppPassword',
  },
  actions: ({ say }, { name, hasSecondFactor }) =>
    hasSecondFactor &&
    dangerButton(`${userAddress(name)}/reset-second-factor`, say('console.users.reset-second-factor.submit')),
  async read({ appPasswords }, user) {
    const own = isPasswordless(user) ? [] : await appPasswords.ofUser(user.id);
    return (reader, { origins, now }) => [
      { order: 40, html: appPasswordsCard(reader, user.name, withTickets(own, origins), now) },
    ];
  },
};
