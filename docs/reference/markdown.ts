/** The first line of every generated page. */
const GENERATED = '<!-- Made from the source by `npm run docs`: change the source, not this page. -->';

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A table in Markdown with aligned columns. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headings, ...rows].map((row) => row.map(cell));
  const widths = headings.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

/** Text in code font. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** A page of blocks with empty lines between them. */
export function page(...blocks: readonly string[]): string {
  return `${[GENERATED, ...blocks].join('\n\n')}\n`;
}
