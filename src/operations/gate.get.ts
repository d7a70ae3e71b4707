import { refuse } from '../domain/refusal.ts';
import { answer, operation } from '../operation.ts';
import { nothingShown, type Representation } from '../representations/representation.ts';
import { Type } from '../schema.ts';

/** Who was let through, and until when. */
interface LetThrough {
  /** The stored spelling of the user's name. */
  readonly username: string;
  /** Epoch milliseconds. Undefined if no limit is set. */
  readonly endsAt: number | undefined;
}

/** A name in the form that a header can carry: UTF-8, percent-encoded except letters, digits and `-._~@`. */
export function headerText(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll('%40', '@');
  return encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Whether a header can carry these characters unchanged: readers cut white space off at both ends (RFC 9110 section 5.5). */
const fitsHeader = (name: string) => name === name.trim() && !/\p{Cc}/u.test(name) && name.isWellFormed();

/** The answer has headers only; the proxy passes them on. Times are in RFC 3339 form. */
function letThroughShown(userHeader: string | undefined) {
  const raw = Type.String({ description: 'The user as stored: UTF-8, not encoded.' });
  return {
    ...nothingShown,
    headers: {
      schema: Type.Object({
        'X-Tessera-User': Type.String({ description: 'The user, percent-encoded.' }),
        ...(userHeader === undefined ? {} : { [userHeader]: raw }),
        'X-Tessera-Ticket-Expires': Type.Optional(
          Type.String({ format: 'date-time', description: 'When the ticket ends, if it is not used again.' }),
        ),
      }),
      of: ({ username, endsAt }) => ({
        'X-Tessera-User': headerText(username),
        // One character for each byte, since headers are written as ISO-8859-1.
        ...(userHeader === undefined ? {} : { [userHeader]: Buffer.from(username).toString('latin1') }),
        ...(endsAt === undefined ? {} : { 'X-Tessera-Ticket-Expires': new Date(endsAt).toISOString() }),
      }),
    },
  } satisfies Representation<LetThrough>;
}

/** Protects services that do not know tickets: a proxy in front of them asks here about each request. */
const gate = (userHeader?: string) =>
  operation({
    id: 'org/service/repository/gate.get',
    summary: 'Tell a proxy whether a request to another service presents a live ticket, and whose it is.',
    lifecycle: 'public_api',
    family: 'Gate',
    method: 'GET',
    paths: ['/gate'],
    anyRequest: true,
    namingIn: gate,
    authentication: 'user',
    ticketsOnly: true,
    transaction: 'required',
    access: 'read',
    formatStyle: 'argument',
    defaultFormat: 'json',
    input: {},
    answers: 204,
    output: letThroughShown(userHeader),
    refusals: ['user_header_impossible'],
    perform: async ({ caller, endOf }) =>
      userHeader !== undefined && !fitsHeader(caller.user.name)
        ? refuse('user_header_impossible')
        : answer({ username: caller.user.name, endsAt: caller.held && endOf(caller.held) }),
  });

export default gate();
