import type { Static } from 'typebox';
import { faultOfCertificates, readNamedFile } from '../../core/documents/named-files.ts';
import {
  type DocumentFault,
  DocumentsFaulty,
  type ReadDocument,
  readDocument,
} from '../../core/documents/read-document.ts';
import { EVENT_KINDS } from '../../core/domain/event.ts';
import { Type } from '../../core/schema.ts';
import { isLoopback } from '../../core/settings/combinations.ts';
import type { WebhookReceiver } from './tables/webhooks.ts';

const closed = { additionalProperties: false } as const;

const text = (description: string) => Type.String({ minLength: 1, maxLength: 2_048, description });

/** A secret as Standard Webhooks writes it: the prefix, and 24 to 64 bytes in base64. */
const SECRET = '^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

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
type WrittenReceiver = Static<typeof WebhooksDocument>['webhooks'][number];

/** A receiver, as the document sets it. Members that the document leaves out have their defaults. */
export interface ReceiverConfiguration extends WebhookReceiver {
  readonly url: string;
  /** The keys that messages are signed with, at least one. */
  readonly secrets: readonly Buffer[];
  /** Certificates (PEM) to check the receiver against, in place of the public ones. */
  readonly ca: string | undefined;
  /** Milliseconds. */
  readonly deadline: number;
}

function faultOfUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is no URL: write it with https://';
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    return 'is without https: others could read the events';
  if (username !== '' || password !== '') return 'has a user name: the signature proves who sends';
  return hash === '' ? undefined : 'has a fragment: leave out # and what follows';
}

/** The secrets in a file, one on each line. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function faultOfSecrets(text: string): string | undefined {
  const lines = linesOf(text);
  if (lines.length === 0)
    return 'is empty: write a secret into it, such as whsec_ and 32 random bytes in base64';
  const at = lines.findIndex((line) => !new RegExp(SECRET).test(line));
  return at < 0 ? undefined : `has no secret as number ${at + 1}: write whsec_ and 24 to 64 bytes in base64`;
}

type WrittenWebhooks = ReadDocument<{ readonly webhooks: readonly WrittenReceiver[] }>;

/** Reads the receivers and their files, and collects the faults. */
class ReceiverReading {
  readonly faults: DocumentFault[] = [];
  readonly #document: WrittenWebhooks;

  constructor(document: WrittenWebhooks) {
    this.#document = document;
  }

  receiver(written: WrittenReceiver, at: string): ReceiverConfiguration {
    const { id, url, kinds = [], secrets, secretFile, caFile, deadline = 15_000 } = written;
    this.#fault(`${at}/url`, faultOfUrl(url));
    if ((secrets === undefined) === (secretFile === undefined))
      this.#fault(at, 'needs its secrets: give secrets or secretFile, and not both');
    const inFile = secretFile && this.#file(`${at}/secretFile`, secretFile, faultOfSecrets);
    const written64 = secrets ?? linesOf(inFile ?? '');
    return {
      id,
      url,
      kinds,
      deadline,
      secrets: written64.map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64')),
      ca: caFile && this.#file(`${at}/caFile`, caFile, faultOfCertificates),
    };
  }

  /** Refuses an id that an earlier receiver has: a delivery is known by it. */
  checkIds(written: readonly WrittenReceiver[]): void {
    for (const [index, { id }] of written.entries()) {
      const first = written.findIndex((each) => each.id === id);
      if (first < index)
        this.#fault(`/webhooks/${index}/id`, `is that of receiver ${first + 1}: each has its own`);
    }
  }

  #fault(pointer: string, why: string | undefined): void {
    if (why !== undefined) this.faults.push(this.#document.faultAt(pointer, why));
  }

  #file(pointer: string, named: string, check: (text: string) => string | undefined): string {
    return readNamedFile(this.#document, pointer, named, check, this.faults);
  }
}

/** Reads the document of webhooks, and the files that it names. Throws {@link DocumentsFaulty} with every fault. */
export function loadReceivers(file: string): readonly ReceiverConfiguration[] {
  const document: WrittenWebhooks = readDocument(file, WebhooksDocument);
  const { webhooks } = document.value;
  const reading = new ReceiverReading(document);
  const receivers = webhooks.map((written, index) => reading.receiver(written, `/webhooks/${index}`));
  reading.checkIds(webhooks);
  if (reading.faults.length > 0) throw new DocumentsFaulty(reading.faults);
  return receivers;
}
