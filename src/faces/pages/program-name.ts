import { provesTwoFactors, type TicketOrigin } from '../../core/domain/ticket.ts';
import { type Html, html } from './html.ts';
import type { Reader } from './layout.ts';
import type { Say } from './texts/texts.ts';

/** The form of a name that is shown. Clients send the text, so anything may stand in it. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._+-]{1,39}$/u;

/** The first product of a `User-Agent` (RFC 9110 section 10.1.5): its name, and the first two numbers of its version. */
const PRODUCT = /^([^/();,]+)(?:\/v?(\d+(?:\.\d+)?))?/;

const nameIn = (text: string | undefined) => (NAME.test(text?.trim() ?? '') ? text?.trim() : undefined);

/** A browser and its system. All browsers claim to be Mozilla, so that alone is no name. */
async function browserName(program: string, say: Say): Promise<string | undefined> {
  const { default: bowser } = await import('bowser');
  const { browser, os, platform } = bowser.parse(program);
  const name = browser.name === 'Mozilla' ? undefined : nameIn(browser.name);
  const system = nameIn(os.name === 'iOS' ? (platform.model ?? os.name) : os.name);
  return name && system ? say('program.onSystem', { program: name, system }) : name;
}

/**
 * A short name for the `User-Agent` of a ticket or an event, such as "Firefox on Linux" or "curl 8.5"; undefined if it tells none. The
 * client may have made it up.
 */
export async function programName(program: string | undefined, say: Say): Promise<string | undefined> {
  if (program === undefined) return undefined;
  if (program.startsWith('Mozilla/')) return browserName(program, say);
  const [, product, version] = PRODUCT.exec(program) ?? [];
  const name = nameIn(product);
  return name && version ? `${name} ${version}` : name;
}

/** How each of these programs stands in a list: its short name, and behind it the whole text. */
export async function programCells(
  { say }: Reader,
  programs: readonly (string | undefined)[],
): Promise<(program: string | undefined) => Html | undefined> {
  const names = new Map<string, string>();
  for (const program of new Set(programs))
    if (program !== undefined)
      names.set(program, (await programName(program, say)) ?? say('tickets.unknownProgram'));
  return (program) =>
    program === undefined ? undefined : html`<span title="${program}">${names.get(program)}</span>`;
}

/** For which credential of a program a ticket was issued, or that its user gave a second factor. */
function credentialText({ say }: Reader, origin: Partial<TicketOrigin>): string | undefined {
  const { appPassword, tokenProvider, application, methods } = origin;
  if (appPassword !== undefined) return say('tickets.byAppPassword', { name: appPassword });
  if (tokenProvider !== undefined) return say('tickets.byTokenProvider', { provider: tokenProvider });
  if (application !== undefined) return say('tickets.ofApplication', { name: application });
  return provesTwoFactors(methods) ? say('tickets.withSecondFactor') : undefined;
}

/** As {@link credentialText}, behind the program of the ticket. */
export function byCredential(reader: Reader, origin: TicketOrigin | undefined): Html | undefined {
  const text = credentialText(reader, origin ?? {});
  return text === undefined ? undefined : html` <span class="hint">${text}</span>`;
}
