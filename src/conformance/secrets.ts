const TICKET = /TICKET_[^\s"'&;,<>)\\]*/g;
const LEFT = 'TICKET_***';

/** What moves a terminal, or turns the order of its letters. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;

const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

/** A text as it is, and quoted in JSON: up to a body within a message within what is told of an answer. */
function quotings(text: string): string[] {
  const [once, twice] = [quoted(text), quoted(quoted(text))];
  return [quoted(twice), twice, once, text];
}

/** Masks what a run knows: passwords in every form in which they are sent, and whatever looks like a ticket. */
export class Secrets {
  readonly #known: string[] = [];

  /** Masks this password from now on, alone and with its user in `Basic`. */
  add(user: string, password: string | undefined): void {
    if (password === undefined || password === '') return;
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    this.#known.push(...quotings(password), encodeURIComponent(password), basic);
  }

  /** The text without secrets and control characters, in one line and not too long. */
  masked(text: string, longest = 200): string {
    const bare = this.#known.reduce((left, secret) => left.replaceAll(secret, '***'), text);
    const line = bare.replace(TICKET, LEFT).replace(/\s+/g, ' ').replace(UNSEEN, '\u{fffd}');
    return line.length > longest ? `${line.slice(0, longest)}…` : line;
  }
}
