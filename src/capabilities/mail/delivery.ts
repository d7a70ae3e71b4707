import { randomUUID } from 'node:crypto';
import type { EventKind } from '../../core/domain/event.ts';
import type { WriteUnit } from '../../core/storage/store.ts';
import { programName } from '../../faces/pages/program-name.ts';
import { sayIn } from '../../faces/pages/texts/texts.ts';
import type { EventReceiver, OpeningParts, ReceivedOutcome } from '../capability.ts';
import { NOT_ME } from '../people/pages/account/not-me-view.ts';
import { letterText } from './letter-view.ts';
import { type Letter, letterAbout } from './letters.ts';
import { newLink, RESET_LIFETIME } from './links.ts';
import { MailTransport } from './transport.ts';

interface MailParts extends Pick<OpeningParts, 'settings' | 'store' | 'clock'> {
  /** The provider where a link sets the passwords of its users. */
  readonly resetsAt: string | undefined;
}

type MailedEvent = Parameters<EventReceiver['receive']>[0];

/** Writes and sends the letters about events. The outbox is that of webhooks, which tries again what is not taken. */
export class MailDelivery {
  readonly #parts: MailParts;
  #transport: MailTransport | undefined;

  constructor(parts: MailParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#transport?.close();
  }

  /** Sends the letter about an event once, if there is one to send. */
  async send(event: MailedEvent, stopped: AbortSignal): Promise<ReceivedOutcome> {
    const { store, settings, clock, resetsAt } = this.#parts;
    const now = clock();
    const { user, kind } = event;
    const letter = await store.read((unit) => letterAbout(unit, event, { ...settings, resetsAt }, now));
    if ('why' in letter)
      return {
        fault: undefined,
        isNothing: true,
        write: (unit) => (letter.isTold ? note(unit, 'mail-failed', now, user, letter.why) : done()),
      };
    // A file of certificates that cannot be read now may be readable in the next attempt.
    this.#transport ??= await MailTransport.open(settings);
    const fault = await this.#transport.send(await this.#written(letter, event, now), stopped);
    const { name } = letter.user;
    if (fault === undefined)
      return { fault: undefined, write: (unit) => note(unit, 'mail-sent', clock(), name, kind) };
    return {
      fault: fault.why,
      isFinal: fault.isFinal,
      write: (unit, isGivenUp) => (isGivenUp ? note(unit, 'mail-failed', clock(), name, kind) : done()),
    };
  }

  /** The mail of a letter. The secret of its link comes into being here, and goes into the mail alone: another attempt has another one. */
  async #written(letter: Letter, event: MailedEvent, now: number) {
    const { store, settings } = this.#parts;
    const { portalUrl: portal, invitationLifetime, mailFrom } = settings;
    const { purpose, user, to, ...content } = letter;
    const { at, from } = event;
    const until = now + (purpose === 'invitation' ? invitationLifetime : RESET_LIFETIME);
    const path = purpose ? await store.write((unit) => newLink(unit, user, purpose, until)) : NOT_ME;
    const link = portal + path;
    const program = await programName(event.program, sayIn(letter.language));
    const [, domain = 'localhost'] = /@([^\s>]+)>?$/.exec(mailFrom) ?? [];
    const about = { ...content, userName: user.name, at, from, program, link, until };
    const text = letterText({ ...about, portal, brand: settings });
    return { ...text, to, messageId: `<${randomUUID()}@${domain}>` };
  }
}

const done = async () => undefined;

/** Writes an event about a mail: which event it tells of, or why it is not sent. */
function note(
  { events }: WriteUnit,
  kind: EventKind,
  at: number,
  user: string | undefined,
  reason: string,
): Promise<void> {
  return events.append({ at, kind, user, reason });
}
