import type { RefusedRequest } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';
import { html } from '../html.ts';
import type { Reader } from '../layout.ts';
import { sentenceFor } from '../refusal-page.ts';
import { lineField } from './form.ts';

/** The members of a form with an old and a new password. */
export const oldAndNewPassword = {
  oldPassword: Type.String({
    minLength: 1,
    refusal: 'old_password_missing',
    description: 'The old password.',
  }),
  newPassword: Type.String({
    minLength: 1,
    refusal: 'new_password_missing',
    description: 'The new password.',
  }),
} as const;

/** Why a form with an old and a new password was refused. */
export interface PasswordFormFault {
  /** The field that it is about. */
  readonly field?: 'oldPassword' | 'newPassword';
  readonly sentence: string;
}

/** Refusals that the form is shown with again, and the field that each is about. */
const FORM_FAULTS: Readonly<Record<string, PasswordFormFault['field']>> = {
  old_password_missing: 'oldPassword',
  old_password_wrong: 'oldPassword',
  new_password_missing: 'newPassword',
  new_password_refused: 'newPassword',
  passwords_unavailable: undefined,
  hash_queue_full: undefined,
};

/** The fault that the form is shown with again; undefined if the refusal is not about what was entered. */
export function formFaultOf(reader: Reader, refused: RefusedRequest): PasswordFormFault | undefined {
  if (!Object.hasOwn(FORM_FAULTS, refused.refused)) return undefined;
  const field = FORM_FAULTS[refused.refused];
  return { ...(field && { field }), sentence: sentenceFor(reader, refused) };
}

/** Tells password managers whose password the form changes. It is neither shown nor sent. */
const ownName = ({ user }: Reader) =>
  user && html`<input type="text" autocomplete="username" value="${user.name}" hidden>`;

/** Who decides about a new password: the rules here, which tell scripts at this address how strong it is, or a directory. */
interface NewPasswordHints {
  readonly strengthUrl?: string;
  readonly isElsewhere?: boolean;
}

/** The fields of a form with an old and a new password. Neither is ever filled in again. */
export function passwordFields(
  reader: Reader,
  fault: PasswordFormFault | undefined,
  judge: NewPasswordHints = {},
) {
  const { say } = reader;
  const faultOf = (field: PasswordFormFault['field']) =>
    fault?.field === field ? fault?.sentence : undefined;
  const old = lineField(reader, {
    name: 'oldPassword',
    label: say('password.old'),
    type: 'password',
    autocomplete: 'current-password',
    isFocused: fault === undefined,
    fault: faultOf('oldPassword'),
  });
  return [ownName(reader), old, newPasswordField(reader, fault, judge)];
}

/** The field of a new password. It is never filled in again. */
export function newPasswordField(
  reader: Reader,
  fault: PasswordFormFault | undefined,
  { strengthUrl, isElsewhere }: NewPasswordHints = {},
) {
  const { say } = reader;
  return lineField(reader, {
    name: 'newPassword',
    label: say('password.new'),
    type: 'password',
    autocomplete: 'new-password',
    hint: say(isElsewhere ? 'password.hintDirectory' : 'password.hint'),
    fault: fault?.field === 'newPassword' ? fault.sentence : undefined,
    ...(strengthUrl !== undefined && { strengthUrl }),
  });
}
