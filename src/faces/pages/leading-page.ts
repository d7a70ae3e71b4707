import { html } from './html.ts';
import { pageText, type Reader } from './layout.ts';

/** A place on another host to which a page leads. */
interface Destination {
  readonly name: string;
  readonly address: string;
  /** What has been done already. */
  readonly done?: string;
}

/**
 * A page that leads to another host at once, with a link for browsers that do not follow. An answer that redirects a form
 * would not do: browsers apply `form-action` to every redirect after it, and a provider may redirect to hosts that are not
 * known here.
 */
export function leadingPage(reader: Reader, { name, address, done }: Destination): string {
  const { say } = reader;
  const title = say('signIn.ledTo', { name });
  const body = html`<h1>${title}</h1>
${done !== undefined && html`<p>${done}</p>`}
<p>${say('signIn.ledToWhy')} <a href="${address}">${say('signIn.ledToLink', { name })}</a></p>`;
  return pageText(reader, { title, body, leadsTo: address });
}
