import { V1_CALL } from '../../api.ts';
import { isRefusal, refuse } from '../../domain/refusal.ts';
import { maskedIfTicket } from '../../domain/ticket.ts';
import { answer, operation } from '../../operation.ts';
import { v1TicketShown } from '../../representations/v1/ticket.ts';
import { Type } from '../../schema.ts';

const described = {
  id: 'org/service/repository/v1/ticket.get',
  summary:
    'Check that the presented ticket is still valid, or get a ticket for an access token of an identity provider, by the v1 API.',
  family: 'Authentication',
  ...V1_CALL,
  method: 'GET',
  paths: ['/authentication/versions/1/tickets/{ticketId}'],
  authentication: 'user',
  aboutPresented: true,
  output: v1TicketShown,
} as const;

const input = {
  path: Type.Object({
    ticketId: Type.String({ description: '-me-: the presented ticket.', examples: ['-me-'] }),
  }),
};

const unknownId = (ticketId: string) => refuse('ticket_id_unknown', { detail: maskedIfTicket(ticketId) });

/** Specification, section 22: log in with an access token of an identity provider. */
const exchange = operation({
  ...described,
  access: 'write',
  input,
  refusals: ['ticket_id_unknown', 'ticket_not_presented', 'access_token_refused'],
  async perform({ input: { path }, verified, issue }) {
    if (path.ticketId !== '-me-') return unknownId(path.ticketId);
    if (verified === undefined) return refuse('ticket_not_presented');
    const answered = await issue(verified);
    if (!isRefusal(answered)) return answered;
    const { refused: _, ...why } = answered;
    return refuse('access_token_refused', why);
  },
});

/** Specification, section 10: check the presented ticket. */
export default operation({
  ...described,
  access: 'read',
  exchange,
  input,
  refusals: ['ticket_id_unknown', 'ticket_not_presented'],
  async perform({ input: { path }, caller }) {
    if (path.ticketId !== '-me-') return unknownId(path.ticketId);
    if (caller.presented === undefined) return refuse('ticket_not_presented');
    return answer({ ticket: caller.presented });
  },
});
