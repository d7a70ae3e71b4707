import { readFileSync, writeFileSync } from 'node:fs';

/** One request of a load. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** Writes requests for a load, one a line; gives the file. */
export function writeRequests(file: string, requests: Iterable<Request>): string {
  const lines = Array.from(requests, ({ method, path, body = '' }) => `${method} ${path} ${body}`.trimEnd());
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Reads what {@link writeRequests} wrote. */
export function readRequests(file: string): Request[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, method, path, body] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
      return { method, path, ...(body && { body }) } as Request;
    });
}
