import { faultOfCertificates, readNamedFile } from '../../core/documents/named-files.ts';
import {
  type DocumentFault,
  DocumentsFaulty,
  type ReadDocument,
  readDocument,
} from '../../core/documents/read-document.ts';
import { isLoopback } from '../../core/settings/combinations.ts';
import { SECRET, WebhooksDocument, type WrittenReceiver } from './document.ts';
import type { WebhookReceiver } from './tables/webhooks.ts';

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
