/** The lines of one metric. */
interface Family {
  readonly about: string[];
  readonly samples: string[];
}

/** A sample with the label `worker` before its own labels. */
function labelled(sample: string, worker: number): string {
  const end = sample.search(/[{ ]/);
  const rest = sample[end] === '{' ? `,${sample.slice(end + 1)}` : `}${sample.slice(end)}`;
  return `${sample.slice(0, end)}{worker="${worker}"${rest}`;
}

/** The lines of a text, by the metric that the comment before them names. */
function* familiesOf(text: string): Generator<[name: string, line: string, isComment: boolean]> {
  let name = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const isComment = line.startsWith('# ');
    if (isComment) name = line.split(' ')[2] as string;
    yield [name, line, isComment];
  }
}

/**
 * One text in the Prometheus format (version 0.0.4) of those of several workers: each sample has the worker's number
 * as the label `worker`, from 1 on.
 */
export function mergedMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const [index, text] of texts.entries()) {
    for (const [name, line, isComment] of familiesOf(text)) {
      const family = families.get(name) ?? { about: [], samples: [] };
      families.set(name, family);
      if (!isComment) family.samples.push(labelled(line, index + 1));
      else if (!family.about.includes(line)) family.about.push(line);
    }
  }
  return [...families.values()].flatMap(({ about, samples }) => [...about, ...samples, '']).join('\n');
}
