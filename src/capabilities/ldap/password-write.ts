import {
  Attribute,
  BerWriter,
  Change,
  type Client,
  PasswordPolicyControl,
  PasswordPolicyError,
  ResultCodeError,
} from 'ldapts';
import type { PolicyFault } from '../../core/domain/password-fault.ts';
import { faultOf, ServerFault } from './connection.ts';

/** A new password of the entry with this DN. Without the old one the account that searches writes it. */
export interface PasswordWrite {
  readonly dn: string;
  readonly oldPassword?: string;
  readonly newPassword: string;
}

/** What came of a new password: the directory has it; or why it refuses it, with what it answered, for the log. */
export type PasswordWriteOutcome =
  | { readonly written: true }
  | {
      readonly written: false;
      readonly why: Exclude<PolicyFault, 'unanswered'> | 'oldPassword';
      readonly answer: string;
    };

/** Thrown when a server got a new password and did not answer: it has the new one or the old one. No other server may be asked. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown';
}

/** The Password Modify extended operation (RFC 3062). */
export const PASSWORD_MODIFY = '1.3.6.1.4.1.4203.1.11.1';
const [USER, OLD, NEW] = [0x80, 0x81, 0x82];

/** What the password policy of a server refuses (draft-behera-ldap-password-policy). */
const POLICY: Readonly<Record<number, PolicyFault>> = {
  [PasswordPolicyError.PasswordModNotAllowed]: 'notAllowed',
  [PasswordPolicyError.MustSupplyOldPassword]: 'notAllowed',
  [PasswordPolicyError.InsufficientPasswordQuality]: 'quality',
  [PasswordPolicyError.PasswordTooShort]: 'short',
  [PasswordPolicyError.PasswordTooYoung]: 'young',
  [PasswordPolicyError.PasswordInHistory]: 'inHistory',
};

/**
 * Result codes (RFC 4511, appendix A) that say something of the password or of the rights to it: constraint violation, invalid
 * syntax; no such attribute or value, which Active Directory says of the old password; wrong password; no right; unwilling.
 */
const BY_CODE: Readonly<Record<number, PolicyFault | 'oldPassword'>> = {
  2: 'notAllowed',
  16: 'oldPassword',
  19: 'refused',
  21: 'refused',
  49: 'oldPassword',
  50: 'notAllowed',
  53: 'notAllowed',
};

/** Errors of Windows in front of the message of a refusal: the password breaks a rule of the domain; the old one is wrong. */
const BY_WINDOWS: Readonly<Record<string, PolicyFault | 'oldPassword'>> = {
  '0000052D': 'refused',
  '00000056': 'oldPassword',
};

function whyRefused({ code, message }: ResultCodeError, policyError: number | undefined) {
  const [, windows = ''] = /(?:^|\n)([0-9A-F]{8}):/i.exec(message) ?? [];
  return POLICY[policyError ?? -1] ?? BY_WINDOWS[windows.toUpperCase()] ?? BY_CODE[code];
}

function modifyRequest({ dn, oldPassword, newPassword }: PasswordWrite): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeString(dn, USER);
  if (oldPassword !== undefined) writer.writeString(oldPassword, OLD);
  writer.writeString(newPassword, NEW);
  writer.endSequence();
  return writer.buffer;
}

/** A change of Active Directory's password: in quotation marks, in UTF-16 (MS-ADTS 3.1.1.3.1.5). */
const unicodePwd = (operation: 'add' | 'delete' | 'replace', password: string) =>
  new Change({
    operation,
    modification: new Attribute({ type: 'unicodePwd', values: [Buffer.from(`"${password}"`, 'utf16le')] }),
  });

const windowsChanges = ({ oldPassword, newPassword }: PasswordWrite) =>
  oldPassword === undefined
    ? [unicodePwd('replace', newPassword)]
    : [unicodePwd('delete', oldPassword), unicodePwd('add', newPassword)];

/**
 * Writes a new password on a connection that is bound as the person, or as the account that searches. `policy` asks for the server's
 * password policy. Throws {@link ServerFault} if certainly nothing was written, and {@link OutcomeUnknown}.
 */
export async function writePassword(
  client: Client,
  write: PasswordWrite,
  { isActiveDirectory, policy }: { readonly isActiveDirectory: boolean; readonly policy: boolean },
): Promise<PasswordWriteOutcome> {
  const control = new PasswordPolicyControl();
  // The library would connect anew, perhaps without TLS.
  if (!client.isConnected) throw new ServerFault('it closed the connection');
  try {
    if (isActiveDirectory) await client.modify(write.dn, windowsChanges(write));
    else await client.exop(PASSWORD_MODIFY, modifyRequest(write), policy ? control : []);
    return { written: true };
  } catch (error) {
    if (!(error instanceof ResultCodeError))
      throw new OutcomeUnknown(`the directory got a new password: ${faultOf(error).message}`, {
        cause: error,
      });
    const policyError = control.value?.error;
    const why = whyRefused(error, policyError);
    if (why === undefined || why === 'unanswered') throw faultOf(error);
    const detail = policyError === undefined ? '' : `, password policy ${policyError}`;
    return { written: false, why, answer: `result code ${error.code}${detail}` };
  }
}

/** Takes back that a person has to change a password that the account wrote for it. A directory may not let the account. */
export async function waiveChange(client: Client, dn: string): Promise<void> {
  const modification = new Attribute({ type: 'pwdReset' });
  await client.modify(dn, new Change({ operation: 'delete', modification })).catch(() => undefined);
}
