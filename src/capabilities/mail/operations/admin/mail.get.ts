import { isoTime } from '../../../../core/domain/iso-time.ts';
import { adminOperation, answer } from '../../../../core/operation.ts';
import { optionalTime } from '../../../../core/representations/admin/times.ts';
import type { Representation } from '../../../../core/representations/representation.ts';
import { Type } from '../../../../core/schema.ts';
import type { WebhookState } from '../../../webhooks/tables/webhooks.ts';
import { mailState } from '../../tables/receiver.ts';

const mailShown = {
  schema: Type.Object({
    sends: Type.Boolean({ description: 'Whether a mail server is set.' }),
    waiting: Type.Integer({ description: 'Mails that wait.' }),
    oldestAt: optionalTime('When the oldest event happened whose mail waits.'),
    dead: Type.Integer({ description: 'Mails that were given up.' }),
    lastFault: Type.Optional(Type.String({ description: 'Why a mail was not sent lately.' })),
    lastFaultAt: optionalTime('When that was.'),
  }),
  json: (state) => ({
    sends: state !== undefined,
    waiting: state?.waiting ?? 0,
    oldestAt: isoTime(state?.oldestAt),
    dead: state?.dead ?? 0,
    lastFault: state?.lastFault?.why,
    lastFaultAt: isoTime(state?.lastFault?.at),
  }),
} satisfies Representation<WebhookState | undefined>;

/** How far mail is behind. */
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
