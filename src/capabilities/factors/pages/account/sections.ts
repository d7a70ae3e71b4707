import type { AccountSections } from '../../../../faces/pages/account-sections.ts';
import { appPasswordsInUse } from '../../rules/app-passwords-in-use.ts';
import { appPasswordsSection } from './app-passwords-view.ts';
import { shownSecondFactors } from './second-factor.ts';
import { secondFactorSection } from './second-factor-view.ts';

/** The sections about second factors, if they count for the user, and about app passwords, if the user can have some. */
export const accountSections: AccountSections = {
  async read({ store, caller, browser, now, ticketState }) {
    const [appPasswords, secondFactors] = await Promise.all([
      appPasswordsInUse(store, caller.user, ticketState),
      shownSecondFactors(store, caller, browser),
    ]);
    const { passkeys = [], appSince, recoveryCodes: count = 0 } = secondFactors ?? {};
    return {
      sections: (reader) => [
        ...(secondFactors ? [{ order: 20, html: secondFactorSection(reader, secondFactors) }] : []),
        ...(appPasswords ? [{ order: 40, html: appPasswordsSection(reader, appPasswords, now) }] : []),
      ],
      signingIn: (say) => [
        ...(appPasswords ?? []).map(({ name }) => say('notMe.appPassword', { name })),
        ...passkeys.map(({ name }) => say('notMe.passkey', { name })),
      ],
      staying: (say) => (appSince === undefined ? undefined : say('account.secondStepStays', { count })),
    };
  },
};
