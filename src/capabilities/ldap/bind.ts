import { type Client, PasswordPolicyControl, PasswordPolicyError, ResultCodeError } from 'ldapts';
import { faultOf } from './connection.ts';

/** The answer of the directory to a bind. The reason is for the events. */
export type BindOutcome =
  | {
      readonly accepted: true;
      /** In how many seconds the password ends, if the directory's policy warns of that; 0 if it has ended, and counts a few more times. */
      readonly endsIn?: number;
    }
  | {
      readonly accepted: false;
      readonly reason: string | undefined;
      /** Whether the password is right, but the directory wants another one first. */
      readonly mustChange?: boolean;
    };

const refused = (reason?: string, mustChange = false): BindOutcome => ({
  accepted: false,
  reason,
  ...(mustChange && { mustChange }),
});

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

/** The codes among them of an expired password, and of one that has to change. Only the right password gets one of these. */
const RIGHT_BUT_OLD = new Set(['532', '773']);

const dataOf = ({ message }: ResultCodeError) => /\bdata ([0-9a-f]+)\b/.exec(message)?.[1] ?? '';

/** Why Active Directory refused a bind, if its message tells. */
export const refusalReason = (error: ResultCodeError): string | undefined => DATA[dataOf(error)];

/**
 * Binds with this name and password, and leaves the connection open. `policy` asks for the server's password policy, which a server has
 * to know. Throws `ServerFault`. An empty password is refused here: a bind with one succeeds for any name (RFC 4513, section 5.1.2).
 */
export async function bindOn(
  client: Client,
  dn: string,
  password: string,
  policy: boolean,
): Promise<BindOutcome> {
  const control = new PasswordPolicyControl();
  try {
    if (dn === '' || password === '') return refused();
    await client.bind(dn, password, policy ? control : []);
    // The directory then allows nothing but a change of the password.
    const mustChange = control.value?.error === PasswordPolicyError.ChangeAfterReset;
    if (mustChange) return refused(TO_CHANGE, true);
    const { timeBeforeExpiration, graceAuthNsRemaining } = control.value ?? {};
    const endsIn = graceAuthNsRemaining === undefined ? timeBeforeExpiration : 0;
    return { accepted: true, ...(endsIn !== undefined && { endsIn }) };
  } catch (error) {
    if (!(error instanceof ResultCodeError) || !OF_THE_PERSON.has(error.code)) throw faultOf(error);
    const reason = refusalReason(error) ?? POLICY[control.value?.error ?? -1];
    return refused(reason, RIGHT_BUT_OLD.has(dataOf(error)));
  }
}
