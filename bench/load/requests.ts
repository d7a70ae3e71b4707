import { readFileSync, writeFileSync } from 'node:fs';

/** One request of a load. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes requests to a file, one on each line with tabs between the parts. Returns the file. */
export function writeRequests(file: string, requests: Iterable<Request>): string {
  const lines = Array.from(requests, ({ method, path, body = '', headers = {} }) =>
    [method, path, body, ...Object.entries(headers).flat()].join('\t'),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Reads a file of {@link writeRequests}. */
export function readRequests(file: string): Request[] {
  return readFileSync(file, 'utf8')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const [method, path, body, ...names] = line.split('\t');
      const headers: Record<string, string> = {};
      for (let at = 0; at < names.length; at += 2) headers[names[at] as string] = names[at + 1] as string;
      return { method, path, ...(body && { body }), headers } as Request;
    });
}
