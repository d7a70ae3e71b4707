import { Type } from '../../schema.ts';

/** The form in which a client names a ticket (RFC 7662 section 2.1, RFC 7009 section 2.1). */
export const tokenForm = Type.Object({
  token: Type.String({
    refusal: 'token_missing',
    description: 'The ticket.',
    examples: [`TICKET_${'0'.repeat(40)}`],
  }),
  token_type_hint: Type.Optional(Type.String({ description: 'Of no effect: there are tickets only.' })),
  client_secret: Type.Optional(
    Type.String({
      maxLength: 0,
      refusal: 'client_secret_in_body',
      description: 'Refused: see Authorization.',
    }),
  ),
});
