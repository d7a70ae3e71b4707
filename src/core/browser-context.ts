import type { PageLook } from './domain/brand.ts';
import type { Refusal } from './domain/refusal.ts';
import type { RequestOrigin } from './domain/request-origin.ts';

/** What capabilities give to pages. Each declares its own members. */
// biome-ignore lint/suspicious/noEmptyInterface: other files declare its members.
export interface BrowserTools {}

/** The browser that asks for a page. */
export interface BrowserContext extends BrowserTools, PageLook {
  /** The scheme and host by which it reached the service, such as `https://tickets.example.org`. */
  readonly origin: string;
  /** The address of the page that its request comes from, as it says itself; undefined if it says none. */
  readonly cameFrom: string | undefined;
  /** Where its request came from, as events keep it. */
  readonly requestOrigin: RequestOrigin;
  /** The domain of all hosts that share its ticket; empty for one host alone. */
  readonly cookieDomain: string;
  /** Hosts, besides that one, to which a sign-in may lead. */
  readonly returnHosts: readonly string[];
  /** Whether it may keep a ticket: over HTTPS, or on the machine itself. */
  readonly keepsCookie: boolean;
  /** The ticket in its cookie, live or not. */
  readonly ticket: string | undefined;
  /**
   * Seals an object as a text for a cookie or a form: only the service can read or make it, and only for this purpose. It
   * opens for this many milliseconds.
   */
  seal(purpose: string, object: object, lifetime: number): string;
  /** The object in a sealed text. Undefined if the text is forged, too old, or for another purpose. */
  unseal(purpose: string, text: string): Readonly<Record<string, unknown>> | undefined;
  /** The CSRF token for the forms of a page, for a browser with this ticket. */
  formTokenOf(ticket: string): string;
  /**
   * Performs another operation of the page's level in the page's transaction. Refuses as the gate does, if the caller's role
   * is too low or a schema does not take the input. An operation that prepares something gets what the page has prepared for it.
   */
  run<X extends { readonly input: unknown; readonly prepared: unknown }, R>(
    operation: { perform(context: X): R },
    input: X['input'],
    ...prepared: [X['prepared']] extends [undefined] ? [] : [prepared: X['prepared']]
  ): Promise<Awaited<R> | Refusal>;
}
