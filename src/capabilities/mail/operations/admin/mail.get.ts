import { adminOperation, answer } from '../../../../core/operation.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import { outboxJson, outboxMembers } from '../../../webhooks/operations/admin/webhooks.get.ts';
import type { WebhookState } from '../../../webhooks/tables/webhooks.ts';
import { mailState } from '../../tables/receiver.ts';

const mailShown = {
  schema: Type.Object({
    sends: Type.Boolean({ description: 'Whether a mail server is set.' }),
    ...outboxMembers,
  }),
  json: (state) => ({ sends: state !== undefined, ...outboxJson(state) }),
} satisfies Representation<WebhookState | undefined>;

export default adminOperation({
  id: 'org/service/repository/admin/mail.get',
  summary: 'Show how many mails wait, how many were given up, and the last fault.',
  method: 'GET',
  paths: ['/api/admin/mail'],
  role: 'operator',
  input: {},
  output: mailShown,
  refusals: [],
  perform: async ({ store }) => answer(await mailState(store)),
});
