import {
  type AuthenticationMethod,
  type KeptTicket,
  shortDigest,
  type TicketOrigin,
  type TicketState,
} from '../../../core/domain/ticket.ts';
import { oneOf } from '../../../core/representations/admin/one-of.ts';
import { Type } from '../../../core/schema.ts';

/** A kept ticket and where it was issued, without the ticket itself. */
export interface ListedTicket {
  readonly ticket: KeptTicket;
  readonly state: TicketState;
  readonly origin: TicketOrigin | undefined;
}

const time = Type.String({ format: 'date-time' });
const STATES = ['valid', 'suspended', 'expired', 'invalid'] as const satisfies readonly TicketState[];

const METHODS = ['pwd', 'otp', 'pop', 'fed'] as const satisfies readonly AuthenticationMethod[];

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
  from: Type.Optional(
    Type.String({
      description:
        'The address of the client that the ticket was issued to: IPv4, or the /64 of IPv6. Missing if it is not known.',
    }),
  ),
  program: Type.Optional(
    Type.String({
      description:
        'The User-Agent of that client: at most 200 characters, as the client sent them, which need not be true. Missing if it sent none.',
    }),
  ),
  appPassword: Type.Optional(
    Type.String({
      description:
        'The name of the app password of the user that it came from. Missing if it came from none.',
    }),
  ),
  tokenProvider: Type.Optional(
    Type.String({
      description:
        'The id of the identity provider for whose access token it was issued. Missing if it was issued for another credential.',
    }),
  ),
  application: Type.Optional(
    Type.String({
      description:
        'The name of the application that has it for itself: of a device, or for sign-ins that outlive the browser. Missing for any other.',
    }),
  ),
  methods: Type.Optional(
    Type.Array(oneOf(METHODS), {
      description:
        'How its user proved who it is (RFC 8176): pwd, a password; otp, a one-time password or recovery code; pop, a passkey; fed, a sign-in at an identity provider. Missing if that is not known.',
    }),
  ),
};

export const listedTicketShown = Type.Object(members, { title: 'Kept ticket' });

/** The JSON of a ticket in a list. JSON leaves out members that are undefined. */
export function listedTicketJson({ ticket, state, origin }: ListedTicket) {
  const { digest, issuedAt, usedAt } = ticket;
  return {
    digest: shortDigest(digest),
    state,
    issuedAt: new Date(issuedAt).toISOString(),
    usedAt: new Date(usedAt).toISOString(),
    from: origin?.from,
    program: origin?.program,
    appPassword: origin?.appPassword,
    tokenProvider: origin?.tokenProvider,
    application: origin?.application,
    methods: origin?.methods,
  };
}

export const ticketOfUserShown = Type.Object(
  { ...members, user: Type.Optional(Type.String({ description: 'Missing if the user was removed.' })) },
  { title: 'Kept ticket of a user' },
);

/** As {@link listedTicketJson}, in a list of all users. */
export function ticketOfUserJson({ user, ...listed }: ListedTicket & { readonly user: string | undefined }) {
  return { ...listedTicketJson(listed), user };
}
