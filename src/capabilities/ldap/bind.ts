import { type Client, PasswordPolicyControl, PasswordPolicyError, ResultCodeError } from 'ldapts';
import { close, faultOf } from './connection.ts';

/** The answer of the directory to a bind. The reason is for the events. */
export type BindOutcome =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly reason: string | undefined };

const ACCEPTED: BindOutcome = { accepted: true };
const refused = (reason?: string): BindOutcome => ({ accepted: false, reason });

const LOCKED = 'locked in the directory';
const PASSWORD_EXPIRED = 'password expired in the directory';
const TO_CHANGE = 'password to be changed in the directory first';
const DISABLED = 'disabled in the directory';
const EXPIRED = 'account expired in the directory';

/** Result codes (RFC 4511, appendix A) by which servers refuse a bind because of the account or the password. */
const OF_THE_PERSON = new Set([19, 32, 34, 48, 49, 50, 53]);

/** Active Directory's codes behind `data` in the message of a refused bind. */
const DATA: Readonly<Record<string, string>> = {
  530: 'not allowed at this time by the directory',
  531: 'not allowed here by the directory',
  532: PASSWORD_EXPIRED,
  533: DISABLED,
  701: EXPIRED,
  773: TO_CHANGE,
  775: LOCKED,
};

const POLICY: Readonly<Record<number, string>> = {
  [PasswordPolicyError.PasswordExpired]: PASSWORD_EXPIRED,
  [PasswordPolicyError.AccountLocked]: LOCKED,
  [PasswordPolicyError.ChangeAfterReset]: TO_CHANGE,
};

/** Why Active Directory refused a bind, if its message tells. */
export function refusalReason({ message }: ResultCodeError): string | undefined {
  const [, data = ''] = /\bdata ([0-9a-f]+)\b/.exec(message) ?? [];
  return DATA[data];
}

/**
 * Binds with this name and password, and closes the connection unless `keep` takes it: only one on which a bind succeeded. `policy` asks for the server's password policy, which a
 * server has to know. Throws `ServerFault`. An empty password is refused here: a bind with one succeeds for any name
 * (RFC 4513, section 5.1.2).
 */
export async function bindOnce(
  client: Client,
  dn: string,
  password: string,
  policy: boolean,
  keep: (client: Client) => void = close,
): Promise<BindOutcome> {
  const control = new PasswordPolicyControl();
  let isInOrder = false;
  try {
    if (dn === '' || password === '') return refused();
    await client.bind(dn, password, policy ? control : []);
    // The directory then allows nothing but a change of the password.
    const mustChange = control.value?.error === PasswordPolicyError.ChangeAfterReset;
    isInOrder = !mustChange;
    return mustChange ? refused(TO_CHANGE) : ACCEPTED;
  } catch (error) {
    if (!(error instanceof ResultCodeError) || !OF_THE_PERSON.has(error.code)) throw faultOf(error);
    return refused(refusalReason(error) ?? POLICY[control.value?.error ?? -1]);
  } finally {
    if (isInOrder) keep(client);
    else close(client);
  }
}
