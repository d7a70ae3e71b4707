import type { Static } from 'typebox';
import { EVENT_KINDS } from '../../core/domain/event.ts';
import { Type } from '../../core/schema.ts';

const closed = { additionalProperties: false } as const;

const text = (description: string) => Type.String({ minLength: 1, maxLength: 2_048, description });

/** A secret as Standard Webhooks writes it: the prefix, and 24 to 64 bytes in base64. */
export const SECRET = '^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

const Receiver = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$',
      description: 'The id of the receiver, in commands and metrics: letters, digits and hyphens.',
    }),
    url: text('Where it takes webhooks: https, or http on this machine. No redirection is followed.'),
    kinds: Type.Optional(
      Type.Array(Type.Union(EVENT_KINDS.map((each) => Type.Literal(each))), {
        minItems: 1,
        description: 'The kinds of events that it gets. All kinds when left out.',
      }),
    ),
    secrets: Type.Optional(
      Type.Array(
        Type.String({ pattern: SECRET, description: 'One of them: whsec_ and 24 to 64 bytes in base64.' }),
        {
          minItems: 1,
          maxItems: 5,
          description:
            'The secrets that messages are signed with. While one is replaced: the new one and the old one.',
        },
      ),
    ),
    secretFile: Type.Optional(
      text('The file with these secrets, one on each line, as seen from this document, in place of secrets.'),
    ),
    caFile: Type.Optional(
      text(
        'The file with the certificates (PEM) that the receiver is checked against, in place of the public ones.',
      ),
    ),
    deadline: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 60_000,
        default: 15_000,
        description: 'Milliseconds for an answer of the receiver.',
      }),
    ),
  },
  closed,
);

/** The schema of the document of webhooks. */
export const WebhooksDocument = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    webhooks: Type.Array(Receiver, { description: 'The receivers of events.' }),
  },
  { ...closed, title: 'Webhooks' },
);

/** A receiver as the document has it. */
export type WrittenReceiver = Static<typeof WebhooksDocument>['webhooks'][number];
