import type { AnyOperation, Authentication } from '../../operation.ts';

/** The ways of saying who calls (`wire.md` section 5). */
export const SECURITY_SCHEMES = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'A user name and password; or the name `ROLE_TICKET`, or none, with a ticket as the password.',
  },
  basic_ticket: {
    type: 'http',
    scheme: 'basic',
    description: 'For the gate alone: the name `ROLE_TICKET`, or none, with a ticket as the password.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A ticket.' },
  client: {
    type: 'http',
    scheme: 'basic',
    description: 'The name and the secret of a registered client: `client_secret_basic` of OAuth 2.0.',
  },
  alf_ticket: { type: 'apiKey', in: 'query', name: 'alf_ticket', description: 'A ticket.' },
} as const;

const SECURITY: Readonly<Record<Authentication, readonly (keyof typeof SECURITY_SCHEMES)[]>> = {
  none: [],
  user: ['basic', 'bearer', 'alf_ticket'],
  client: ['client'],
};

/** Where tickets alone are credentials; the query means something to another service there. */
const FOR_TICKETS_ONLY = ['basic_ticket', 'bearer'] as const;

/** What an operation asks for, any one of these; an empty list: nothing. */
export function securityOf({
  authentication,
  ticketsOnly,
}: AnyOperation): Readonly<Record<string, readonly string[]>>[] {
  const schemes = ticketsOnly ? FOR_TICKETS_ONLY : SECURITY[authentication];
  return schemes.map((scheme) => ({ [scheme]: [] }));
}
