/** What stands at the top of every generated page. */
const GENERATED = '<!-- Made from the source by `npm run docs`: change the source, not this page. -->';

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A table in Markdown, its columns as wide as they need, which is how the formatter wants it. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headings, ...rows].map((row) => row.map(cell));
  const widths = headings.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

/** Text that is written as it stands, such as a name in the code. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** A page of blocks with an empty line between. */
export function page(...blocks: readonly string[]): string {
  return `${[GENERATED, ...blocks].join('\n\n')}\n`;
}
