import { V1_CALL } from '../../api.ts';
import { refuse } from '../../domain/refusal.ts';
import { maskedIfTicket } from '../../domain/ticket.ts';
import { answer, operation } from '../../operation.ts';
import type { Representation } from '../../representations/representation.ts';
import { Type } from '../../schema.ts';

const probeShown = {
  schema: Type.Object({ entry: Type.Object({ message: Type.String() }) }),
  json: (message) => ({ entry: { message } }),
} satisfies Representation<string>;

/** The probe of each name. Case does not count. */
const PROBES = new Map([
  ['-live-', 'live'],
  ['live', 'live'],
  ['-ready-', 'ready'],
  ['ready', 'ready'],
]);

/** Specification, section 10.3: tell orchestrators and load balancers whether the service lives, and whether it is ready. */
export default operation({
  id: 'org/service/repository/v1/probe.get',
  summary: 'Tell whether the service lives, or whether it is ready, by the v1 API.',
  family: 'Server',
  ...V1_CALL,
  method: 'GET',
  paths: ['/alfresco/versions/1/probes/{probeName}'],
  authentication: 'none',
  transaction: 'none',
  access: 'none',
  input: {
    path: Type.Object({
      probeName: Type.String({
        description: '-live-: whether the process answers; -ready-: whether its store can be read too.',
        examples: ['-ready-'],
      }),
    }),
  },
  output: probeShown,
  refusals: ['probe_unknown', 'not_ready'],
  async prepare({ input: { path }, probeReadiness }) {
    const probe = PROBES.get(path.probeName.toLowerCase());
    if (probe === undefined) return refuse('probe_unknown', { detail: maskedIfTicket(path.probeName) });
    if (probe === 'live') return 'liveProbe: Success - Tested';
    const { isReady, isTested } = await probeReadiness();
    const how = isTested ? 'Tested' : 'No test';
    return isReady ? `readyProbe: Success - ${how}` : refuse('not_ready', { detail: how, retryAfter: 10 });
  },
  perform: ({ prepared: message }) => answer(message),
});
