import { Type } from '../../../../core/schema.ts';

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
