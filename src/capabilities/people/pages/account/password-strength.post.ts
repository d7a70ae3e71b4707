import { PORTAL } from '../../../../core/api.ts';
import type { PasswordFault } from '../../../../core/domain/password-fault.ts';
import { answer, operation } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { form } from '../../../../faces/pages/page.ts';
import { sayPasswordFault } from '../../../../faces/pages/password-fault.ts';
import { anyReader } from '../../../../faces/pages/reader.ts';

/** How strong a password is. */
interface Strength {
  /** From 0, the weakest, to 4, which the rules accept. */
  readonly level: number;
  /** Why it is refused, or that it is accepted. */
  readonly sentence: string;
}

const strengthShown = {
  schema: Type.Object({ level: Type.Number(), sentence: Type.String() }),
  json: (strength) => strength,
} satisfies Representation<Strength>;

const levelOf = (fault: PasswordFault | undefined): number => {
  if (fault === undefined) return 4;
  if (fault.code === 'guessable') return 2;
  return fault.code === 'short' ? 1 : 0;
};

/**
 * Tells the script of a page how strong a new password is while the user types. It applies the rules that decide about the
 * form.
 */
export default operation({
  id: 'org/service/repository/portal/account/password-strength.post',
  summary: 'Tell how strong a new password is.',
  lifecycle: 'public_api',
  family: 'Portal',
  api: PORTAL,
  method: 'POST',
  paths: ['/password-strength'],
  authentication: 'user',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  bodyStyle: 'form',
  input: { body: form({ password: Type.String({ description: 'The password as it is typed.' }) }) },
  output: strengthShown,
  refusals: ['hash_queue_full'],
  async prepare({ input: { body }, caller, passwords }) {
    const fault = await passwords.judgeNew(caller.user.name, body.password);
    return fault !== undefined && 'refused' in fault ? fault : { fault };
  },
  perform({ prepared: { fault }, ...context }) {
    const reader = anyReader(context);
    const sentence = fault ? sayPasswordFault(reader, fault) : reader.say('newPassword.accepted');
    return answer({ level: levelOf(fault), sentence });
  },
});
