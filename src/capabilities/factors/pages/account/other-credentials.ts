import type { Passkey } from '../../../../core/domain/passkey.ts';
import type { OtherCredential, OtherCredentials } from '../../../../faces/pages/account-sections.ts';
import { removeAppPassword } from '../../rules/app-passwords.ts';
import { removePasskey } from '../../rules/passkeys.ts';
import { removeApp, removeRecoveryCodes, secondFactorsOf } from '../../rules/second-factors.ts';

const appPassword = (name: string): OtherCredential => ({
  text: `app-password ${name}`,
  isTicked: true,
  label: (say) => say('notMe.appPassword', { name }),
  remove: (unit, user) => removeAppPassword(unit, user, name),
});

const passkey = ({ name, credentialId }: Pick<Passkey, 'name' | 'credentialId'>): OtherCredential => ({
  text: `passkey ${credentialId.toString('base64url')} ${name}`,
  isTicked: false,
  label: (say) => say('notMe.passkey', { name }),
  remove: (unit, user) => removePasskey(unit, user, credentialId),
});

const AUTHENTICATOR_APP: OtherCredential = {
  text: 'authenticator-app',
  isTicked: false,
  label: (say) => say('secondFactor.app'),
  remove: removeApp,
};

const recoveryCodes = (count: number): OtherCredential => ({
  text: `recovery-codes ${count}`,
  isTicked: false,
  label: (say) => say('notMe.recoveryCodes', { count }),
  remove: removeRecoveryCodes,
});

/** The app passwords and second factors of a user. App passwords and passkeys, which sign in without the password, come first. */
export const otherCredentials: OtherCredentials = {
  async ofUser(unit, { id }) {
    const [appPasswords, { appSince, passkeys, recoveryCodes: count }] = await Promise.all([
      unit.appPasswords.ofUser(id),
      secondFactorsOf(unit, id),
    ]);
    return [
      ...appPasswords.map(({ name }) => appPassword(name)),
      ...passkeys.map(passkey),
      ...(appSince === undefined ? [] : [AUTHENTICATOR_APP]),
      ...(count === 0 ? [] : [recoveryCodes(count)]),
    ];
  },
  named(text) {
    const [, ofPrograms] = /^app-password (.+)$/.exec(text) ?? [];
    if (ofPrograms !== undefined) return appPassword(ofPrograms);
    const [, id, name = ''] = /^passkey ([\w-]+) (.*)$/.exec(text) ?? [];
    if (id !== undefined) return passkey({ name, credentialId: Buffer.from(id, 'base64url') });
    if (text === AUTHENTICATOR_APP.text) return AUTHENTICATOR_APP;
    const [, count] = /^recovery-codes (\d{1,3})$/.exec(text) ?? [];
    return count === undefined ? undefined : recoveryCodes(Number(count));
  },
};
