import { answer } from '../../../core/operation.ts';
import { type Html, html } from '../html.ts';
import type { Reader } from '../layout.ts';
import type { PageSent } from '../page.ts';
import { copyText, notice } from '../parts/notice.ts';
import type { TextKey } from '../texts/texts.ts';
import { consolePage } from './layout.ts';

/** A new secret of a program. */
export interface NewSecret {
  readonly name: string;
  readonly secret: string;
  readonly sentence: TextKey;
  /** The list that it now stands in. */
  readonly list: string;
  /** What else its program needs. */
  readonly more?: Html | undefined;
}

/** Shows the secret of a client or an API key. The store has only its digest, so no other page can show it. */
export function secretThen<C>(reader: Reader, secret: NewSecret, { changes }: { readonly changes: C }) {
  return { ...answer(secretPage(reader, secret)), changes };
}

function secretPage(reader: Reader, { name, secret, sentence, list, more }: NewSecret): PageSent {
  const { say } = reader;
  const body = html`<div class="card narrow">${notice('good', say(sentence, { name }))}
${copyText(reader, secret)}${more}<p><a class="button" href="${list}">${say('console.programs.kept')}</a></p></div>`;
  return consolePage(reader, { title: name, current: list, body });
}
