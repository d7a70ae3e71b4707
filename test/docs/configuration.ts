import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** The first block in `language` on a how-to page, or the first below the heading `below`. What stands once in it gives way to what is here. */
export function configurationOn(
  page: string,
  language: string,
  inPlace: Readonly<Record<string, string>>,
  below = '',
): string {
  const text = readFileSync(new URL(`../../docs/how-to/${page}`, import.meta.url), 'utf8');
  const [, shown] =
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text.slice(text.indexOf(below))) ?? [];
  assert.ok(shown !== undefined, `${page} has a block in ${language}`);
  return Object.entries(inPlace).reduce((changed, [written, here]) => {
    assert.equal(changed.split(written).length, 2, `${written} stands once on the page`);
    return changed.replace(written, here);
  }, shown);
}
