import type { RecordedEvent } from '../../../core/domain/event.ts';
import type { Representation } from '../../../core/representations/representation.ts';
import { Type } from '../../../core/schema.ts';

const text = Type.Optional(Type.String());

/** The JSON of an event. JSON leaves out members that are undefined. */
export function eventJson({
  id,
  at,
  kind,
  user,
  actor,
  from,
  program,
  digest,
  reason,
  count,
}: RecordedEvent) {
  return {
    id,
    at: new Date(at).toISOString(),
    kind,
    user,
    actor,
    from,
    program,
    ticket: digest,
    reason,
    count,
  };
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
      program: Type.Optional(
        Type.String({
          description:
            'The User-Agent of the call: at most 200 characters, as the client sent them, which need not be true. Missing if it sent none, or if the calls that are counted had several.',
        }),
      ),
      ticket: Type.Optional(Type.String({ description: 'The first 8 digits of the digest of the ticket.' })),
      reason: text,
      count: Type.Integer({ description: 'How many times it happened in one minute.' }),
    },
    { title: 'Event' },
  ),
  json: eventJson,
} satisfies Representation<RecordedEvent>;
