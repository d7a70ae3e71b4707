import { until } from '../../service/until.ts';
import type { Heard } from './scenario.ts';

type Line = Readonly<Record<string, unknown>> & { readonly err?: { readonly message: string } };

/** How many requests the log has a line for. */
export function requestsIn(lines: readonly string[]): number {
  return lines.filter((line) => JSON.parse(line).msg === 'request').length;
}

/** The lines of the log about the request with this answer, once its request line is among them. */
export async function linesAbout(lines: readonly string[], { headers }: Heard): Promise<Line[]> {
  const told = () =>
    lines.map((line): Line => JSON.parse(line)).filter(({ id }) => id === headers['x-request-id']);
  await until('the request line is told', () => told().some(({ msg }) => msg === 'request'));
  return told();
}
