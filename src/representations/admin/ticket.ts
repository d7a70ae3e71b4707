import { type KeptTicket, shortDigest, type TicketState } from '../../domain/ticket.ts';
import { Type } from '../../schema.ts';
import { oneOf } from './one-of.ts';

/** A kept ticket, without the ticket itself. */
export interface ListedTicket {
  readonly ticket: KeptTicket;
  readonly state: TicketState;
}

const time = Type.String({ format: 'date-time' });
const STATES = ['valid', 'suspended', 'expired', 'invalid'] as const satisfies readonly TicketState[];

const members = {
  digest: Type.String({
    description: 'The first 8 digits of the digest of the ticket, as events show it.',
  }),
  state: oneOf(STATES),
  issuedAt: time,
  usedAt: Type.String({
    format: 'date-time',
    description:
      'The last use that was written; the real one is at most a tenth of the inactivity time later.',
  }),
};

export const listedTicketShown = Type.Object(members, { title: 'Kept ticket' });

export function listedTicketJson({ ticket, state }: ListedTicket) {
  const { digest, issuedAt, usedAt } = ticket;
  return {
    digest: shortDigest(digest),
    state,
    issuedAt: new Date(issuedAt).toISOString(),
    usedAt: new Date(usedAt).toISOString(),
  };
}

export const ticketOfUserShown = Type.Object(
  { ...members, user: Type.Optional(Type.String({ description: 'Missing if the user was removed.' })) },
  { title: 'Kept ticket of a user' },
);

/** The JSON of a ticket in a list of all users. JSON leaves out members that are undefined. */
export function ticketOfUserJson({ user, ...listed }: ListedTicket & { readonly user: string | undefined }) {
  return { ...listedTicketJson(listed), user };
}
