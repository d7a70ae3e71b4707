import { type Html, type HtmlValue, html } from './html.ts';
import type { Say, TextKey } from './texts/texts.ts';

/**
 * A text whose values may be markup, such as a time or a link. Numbers count: they choose the form of the text. Values that are
 * texts are escaped.
 */
export function sayHtml(say: Say, key: TextKey, values: Readonly<Record<string, HtmlValue>>): Html {
  const markup = Object.entries(values).map(
    ([name, value]) => [name, typeof value === 'number' ? value : `{${name}}`] as const,
  );
  const parts = say(key, Object.fromEntries(markup)).split(/\{(\w+)\}/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : values[part]))}`;
}
