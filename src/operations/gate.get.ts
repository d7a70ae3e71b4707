import { answer, operation } from '../operation.ts';
import { letThroughShown } from '../representations/let-through.ts';

/** Tickets for services that know nothing of tickets: a proxy in front of them asks here about each request. */
export default operation({
  id: 'org/service/repository/gate.get',
  summary: 'Tell a proxy whether a request to another service presents a live ticket, and whose it is.',
  lifecycle: 'public_api',
  family: 'Gate',
  method: 'GET',
  paths: ['/gate'],
  anyRequest: true,
  authentication: 'user',
  ticketsOnly: true,
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: {},
  answers: 204,
  output: letThroughShown,
  refusals: [],
  perform: async ({ caller, endOf }) =>
    answer({ username: caller.user.name, endsAt: caller.held && endOf(caller.held) }),
});
