import { Type } from '../schema.ts';
import { nothingShown, type Representation } from './representation.ts';

/** Whose ticket let a request through, and until when that would be so. */
export interface LetThrough {
  /** The stored spelling of the user's name. */
  readonly username: string;
  /** Epoch milliseconds; nothing where no limit is on. */
  readonly endsAt: number | undefined;
}

/** A name as a header carries it: UTF-8, percent-encoded except letters, digits and `-._~@`. */
export function headerText(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll('%40', '@');
  return encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Shown in headers alone, which the proxy that asked hands on; times as RFC 3339 writes them. */
export const letThroughShown = {
  ...nothingShown,
  headers: {
    schema: Type.Object({
      'X-Tessera-User': Type.String({ description: 'The user, percent-encoded.' }),
      'X-Tessera-Ticket-Expires': Type.Optional(
        Type.String({ format: 'date-time', description: 'When the ticket ends, if it is not used again.' }),
      ),
    }),
    of: ({ username, endsAt }) => ({
      'X-Tessera-User': headerText(username),
      ...(endsAt === undefined ? {} : { 'X-Tessera-Ticket-Expires': new Date(endsAt).toISOString() }),
    }),
  },
} satisfies Representation<LetThrough>;
