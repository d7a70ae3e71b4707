import type { RecordedEvent } from '../../../core/domain/event.ts';
import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';

const text = Type.Optional(Type.String());

/** The JSON of an event. JSON leaves out members that are undefined. */
export function eventJson({ id, at, kind, user, actor, from, digest, reason, count }: RecordedEvent) {
  return { id, at: new Date(at).toISOString(), kind, user, actor, from, ticket: digest, reason, count };
}

export const eventShown = {
  schema: Type.Object(
    {
      id: Type.Integer(),
      at: Type.String({ format: 'date-time' }),
      kind: Type.String(),
      user: Type.Optional(Type.String({ description: 'Whom it is about.' })),
      actor: Type.Optional(Type.String({ description: 'Who did it, if it was another one.' })),
      from: Type.Optional(Type.String({ description: 'The client address, or `command line`.' })),
      ticket: Type.Optional(Type.String({ description: 'The first 8 digits of the digest of the ticket.' })),
      reason: text,
      count: Type.Integer({ description: 'How many times it happened in one minute.' }),
    },
    { title: 'Event' },
  ),
  json: eventJson,
} satisfies Representation<RecordedEvent>;
