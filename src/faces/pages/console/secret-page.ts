import { html } from '../html.ts';
import type { Reader } from '../layout.ts';
import type { PageSent } from '../page.ts';
import { copyText, notice } from '../parts/notice.ts';
import type { TextKey } from '../texts/texts.ts';
import { consolePage } from './layout.ts';

/** A secret that was made for a program. */
interface MadeSecret {
  readonly name: string;
  readonly secret: string;
  readonly sentence: TextKey;
  /** The list that it now stands in. */
  readonly list: string;
}

/** Shows the secret of a client or an API key. The store has only its digest, so no other page can show it. */
export function secretPage(reader: Reader, { name, secret, sentence, list }: MadeSecret): PageSent {
  const { say } = reader;
  const body = html`<div class="card narrow">${notice('good', say(sentence, { name }))}
${copyText(reader, secret)}<p><a class="button" href="${list}">${say('console.programs.kept')}</a></p></div>`;
  return consolePage(reader, { title: name, current: list, body });
}
