import { answer, operation } from '../operation.ts';
import { nothingShown } from '../representations/representation.ts';
import { Type } from '../schema.ts';

/** The argument by which a caller asks without a credential, at level `guest`. */
export const asGuest = Type.Object({
  guest: Type.Optional(Type.String({ description: 'true: asks without a credential.' })),
});

/** Specification, section 12: a request that only checks the credential. Single sign-on and uptime checks call it. */
export default operation({
  id: 'org/service/repository/touch.get',
  summary: 'Check the presented credential, and answer nothing.',
  lifecycle: 'public_api',
  family: 'Server',
  method: 'GET',
  paths: ['/touch'],
  authentication: 'guest',
  transaction: 'required',
  access: 'read',
  formatStyle: 'argument',
  defaultFormat: 'json',
  input: { query: asGuest },
  output: nothingShown,
  refusals: [],
  perform: () => answer(undefined),
});
