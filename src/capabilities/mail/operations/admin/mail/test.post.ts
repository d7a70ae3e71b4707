import { refuse } from '../../../../../core/domain/refusal.ts';
import { adminOperation, changed, type OperationTools } from '../../../../../core/operation.ts';
import type { Representation } from '../../../../../core/representations/representation.ts';
import { Type } from '../../../../../core/schema.ts';
import { isMailAddress } from '../../../settings.ts';

interface TestOutcome {
  readonly fault: string | undefined;
}

const outcomeShown = {
  schema: Type.Object({
    taken: Type.Boolean({ description: 'Whether the mail server took the mail.' }),
    fault: Type.Optional(Type.String({ description: 'Why it did not, as the server says it.' })),
  }),
  json: ({ fault }) => ({ taken: fault === undefined, fault }),
} satisfies Representation<TestOutcome>;

/** Sends the mail and waits for the answer: slow work, outside of the transaction. A page that tries mail prepares by it, too. */
export async function sendTest({ mailTools }: Pick<OperationTools, 'mailTools'>, to: string) {
  if (isMailAddress(to)) return { fault: await mailTools.sendTest(to) };
  return refuse('body_invalid', { detail: 'this is no address: write one such as you@example.org' });
}

export default adminOperation({
  id: 'org/service/repository/admin/mail/test.post',
  summary: 'Send a mail to an address, and tell the answer of the mail server.',
  method: 'POST',
  paths: ['/api/admin/mail/test'],
  role: 'administrator',
  input: {
    body: Type.Object(
      { to: Type.String({ description: 'The mail address.', examples: ['you@example.org'] }) },
      { additionalProperties: false },
    ),
  },
  output: outcomeShown,
  refusals: ['body_unreadable', 'body_invalid'],
  prepare: ({ input: { body }, mailTools }) => sendTest({ mailTools }, body.to),
  perform({ prepared }) {
    const kind = prepared.fault === undefined ? 'mail-sent' : 'mail-failed';
    return changed(prepared, [{ kind, reason: 'test' }]);
  },
});
