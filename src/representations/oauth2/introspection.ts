import { Type } from '../../schema.ts';
import type { Representation } from '../representation.ts';

/** What a client is told of a ticket (RFC 7662 section 2.2). */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      /** The stored spelling of the user's name, and its id, which no other user ever has. */
      readonly username: string;
      readonly userId: number;
      /** Epoch milliseconds. */
      readonly issuedAt: number;
      readonly endsAt: number | undefined;
    };

const seconds = (at: number) => Math.floor(at / 1_000);

function json(shown: Introspection) {
  if (!shown.active) return { active: false };
  const { username, userId, issuedAt, endsAt } = shown;
  const exp = endsAt === undefined ? {} : { exp: seconds(endsAt) };
  return { active: true, username, sub: String(userId), iat: seconds(issuedAt), ...exp };
}

export const introspectionShown = {
  schema: Type.Object({
    active: Type.Boolean(),
    username: Type.Optional(Type.String()),
    sub: Type.Optional(Type.String()),
    iat: Type.Optional(Type.Integer()),
    exp: Type.Optional(Type.Integer()),
  }),
  json,
} satisfies Representation<Introspection>;
